//! What a communication step costs: loops of the master against bare loops over the same loaded functions, in one process,
//! interleaved.

use std::io;

use fmu::Fmu;
use lotka::{Csv, Direction, Observer, Simulation, System};
use rustix::time::{ClockId, clock_gettime};
use tests::lean::Lean;

use crate::{
    bare::{FACTORS, Network, OFFSET, Pair, Side, Side2, Side3, Wiring},
    count,
    table::Line,
};

/// Step size [s]: small enough that no solution leaves the range of doubles.
const H: f64 = 1e-5;
const ROUNDS: usize = 40;

/// Numbers of steps of the runs whose instructions are counted.
const COUNTED: [usize; 2] = [1000, 3000];

/// A loop of so many steps without a master, or with it.
type Bare = Box<dyn FnMut(usize)>;
type Build = Box<dyn Fn(usize) -> Simulation>;

/// What is compared with a bare loop.
enum Ours {
    Master(Build),
    /// Another bare loop.
    Bare(Bare),
}

/// One loop to compare.
pub struct Loop {
    name: String,
    aim: f64,
    steps: usize,
    /// Whether the figure of the master is that of one iteration, not that of a step.
    is_per_pass: bool,
    /// Number of iterations per step, if that matters, once measured.
    passes: f64,
    bare: Bare,
    ours: Ours,
    /// Whether rows are written as CSV.
    csv: bool,
}

/// Processor time of this thread [ns].
fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// The least time of a work, and of this one, in nanoseconds.
pub fn time(best: &mut f64, work: impl FnOnce()) {
    let start = cpu_time();
    work();
    *best = best.min(cpu_time() - start);
}

/// Runs, and returns the number of steps, and of iterations.
pub fn run(simulation: &mut Simulation, observers: &mut [&mut dyn Observer]) -> (f64, f64) {
    let counters = simulation.run(observers).expect("the run ends well").counters;
    (counters.n_steps as f64, counters.n_iterations as f64)
}

impl Loop {
    fn new(name: &str, aim: f64, bare: impl FnMut(usize) + 'static, build: impl Fn(usize) -> System + 'static) -> Self {
        // A step that callgrind slows down is not to seem worth a thread.
        let build = move |steps| build(steps).threads(1).build().expect("the system fits");
        Self::of(name, aim, bare, Ours::Master(Box::new(build)))
    }

    fn of(name: &str, aim: f64, bare: impl FnMut(usize) + 'static, ours: Ours) -> Self {
        Self {
            name: name.to_owned(),
            aim,
            steps: 50_000,
            is_per_pass: false,
            passes: 1.0,
            bare: Box::new(bare),
            ours,
            csv: false,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Compares processor times.
    pub fn measure(&mut self) -> Line {
        let (mut limit, mut ours) = (f64::INFINITY, f64::INFINITY);
        let build = match &mut self.ours {
            Ours::Master(build) => build,
            Ours::Bare(other) => {
                for _ in 0..ROUNDS {
                    time(&mut limit, || (self.bare)(self.steps));
                    time(&mut ours, || other(self.steps));
                }
                let steps = self.steps as f64;
                return self.line(limit / steps, ours / steps);
            }
        };
        let mut simulation = build(self.steps);
        let (steps, iterations) = run(&mut simulation, &mut []);
        for _ in 0..ROUNDS {
            time(&mut limit, || (self.bare)(self.steps));
            if self.csv {
                let mut csv = Csv::new(io::sink());
                time(&mut ours, || _ = run(&mut simulation, &mut [&mut csv]));
                csv.finish().expect("the sink takes everything");
            } else {
                time(&mut ours, || _ = run(&mut simulation, &mut []));
            }
        }
        self.passes = if self.is_per_pass { iterations / steps } else { 1.0 };
        self.line(limit / steps, ours / steps / self.passes)
    }

    fn line(&self, limit: f64, ours: f64) -> Line {
        Line { name: self.name.clone(), limit, ours, unit: "ns", aim: self.aim, instructions: None }
    }

    /// Adds the instructions, where they can be counted.
    pub fn count(&self, line: &mut Line) {
        if self.csv {
            return;
        }
        line.instructions = count::instructions(&self.name, COUNTED).map(|[limit, ours]| [limit, ours / self.passes]);
    }

    /// Runs one side, for a tool that counts instructions.
    pub fn run_once(&mut self, is_bare: bool, steps: usize) {
        match &mut self.ours {
            _ if is_bare => (self.bare)(steps),
            Ours::Bare(other) => other(steps),
            Ours::Master(build) => _ = run(&mut build(steps), &mut []),
        }
    }
}

fn fixed(system: System, sweep: &str, degree: u32) -> System {
    system.sweep(sweep).step(H).input_degree(degree)
}

/// Step doubling that accepts every step, so that both sides do the same work.
fn doubling(pair: System) -> System {
    pair.sweep("gauss-seidel").local_tolerance(1e3).first_step(H).min_step(H).max_step(H)
}

/// Two FMUs with the variables of their connections, written as `instance.variable`.
#[derive(Clone)]
struct Coupled {
    fmus: [Fmu; 2],
    variables: [[&'static str; 2]; 2],
}

impl Coupled {
    fn bare<S: Side + 'static>(&self, run: fn(&mut Pair<S>, usize)) -> impl FnMut(usize) + 'static {
        let sides = [0, 1].map(|side| (&self.fmus[side], self.variables[side][0], self.variables[side][1]));
        let mut pair = Pair::new(sides, H);
        move |steps| {
            pair.begin();
            run(&mut pair, steps);
        }
    }

    fn system(&self, change: fn(System) -> System) -> impl Fn(usize) -> System + 'static {
        let Self { fmus, variables } = self.clone();
        move |steps| {
            let system = System::new().instance_of("prey", &fmus[0]).instance_of("predator", &fmus[1]);
            let input = |side: usize, name: &str| format!("{name}.{}", variables[side][0]);
            let output = |side: usize, name: &str| format!("{name}.{}", variables[side][1]);
            let system = system.connect(&input(0, "prey"), &output(1, "predator"));
            change(system.connect(&input(1, "predator"), &output(0, "prey")).stop(steps as f64 * H))
        }
    }

    fn compare(&self, name: &str, aim: f64, run: fn(&mut Pair<Side2>, usize), change: fn(System) -> System) -> Loop {
        Loop::new(name, aim, self.bare(run), self.system(change))
    }
}

/// Loops over two FMUs in C.
pub fn of_c(folder: &std::path::Path) -> Vec<Loop> {
    let prey = Lean::new("prey").build(folder);
    let predator = Lean::new("predator").define("GROWTH=-0.1").define("EFFECT=0.02").build(folder);
    let fmus = [prey, predator].map(|path| Fmu::open(path).expect("our FMUs load"));
    let pair = Coupled { fmus, variables: [["u1", "y1"]; 2] };
    let mut loops = vec![
        pair.compare("Gauss-Seidel, held", 1.2, Pair::gauss_seidel, |pair| fixed(pair, "gauss-seidel", 0)),
        pair.compare("Jacobi, held", 1.6, Pair::jacobi, |pair| fixed(pair, "jacobi", 0)),
        pair.compare("step doubling, held", 1.6, Pair::step_doubling, |pair| doubling(pair).input_degree(0)),
        pair.compare("Gauss-Seidel, degree 1", 2.0, Pair::gauss_seidel, |pair| fixed(pair, "gauss-seidel", 1)),
        pair.compare("Jacobi, degree 1", 3.5, Pair::jacobi, |pair| fixed(pair, "jacobi", 1)),
        pair.compare("step doubling, degree 1", 3.0, Pair::step_doubling, |pair| doubling(pair).input_degree(1)),
        pair.compare("Gauss-Seidel, degree 3", 3.0, Pair::gauss_seidel, |pair| fixed(pair, "gauss-seidel", 3)),
        pair.compare("Gauss-Seidel, held, an event watched", 1.4, Pair::gauss_seidel, |pair| {
            fixed(pair, "gauss-seidel", 0).event("prey.y1", 1e9, Direction::Up)
        }),
    ];
    let mut iterated = pair.compare("Gauss-Seidel iterated, per pass", 2.0, Pair::gauss_seidel, |pair| {
        fixed(pair, "gauss-seidel", 0).iterations(10, Some(1e-14))
    });
    iterated.is_per_pass = true;
    loops.push(iterated);
    let mut csv = pair
        .compare("Gauss-Seidel, held, CSV of every step", 1.35, Pair::gauss_seidel_csv, |pair| fixed(pair, "gauss-seidel", 0));
    csv.csv = true;
    loops.push(csv);
    loops
}

/// The same over two FMUs of the kit.
pub fn of_kit() -> Vec<Loop> {
    let fmus = ["prey", "predator"].map(|name| Fmu::open(tests::packed(name)).expect("our FMUs load"));
    let pair = Coupled { fmus, variables: [["y", "x"], ["x", "y"]] };
    vec![
        pair.compare("kit: Gauss-Seidel, held", 1.2, Pair::gauss_seidel, |pair| fixed(pair, "gauss-seidel", 0)),
        pair.compare("kit: Jacobi, held", 1.4, Pair::jacobi, |pair| fixed(pair, "jacobi", 0)),
        pair.compare("kit: step doubling, held", 1.5, Pair::step_doubling, |pair| doubling(pair).input_degree(0)),
        pair.compare("kit: Gauss-Seidel, degree 1", 1.7, Pair::gauss_seidel, |pair| fixed(pair, "gauss-seidel", 1)),
    ]
}

/// Pairs of the kit in FMI 3.0, against the same in FMI 2.0: the master runs both.
pub fn of_versions() -> Vec<Loop> {
    let pair = |folder: &str| {
        let fmus = ["prey", "predator"].map(|name| Fmu::open(tests::packed(&format!("{folder}{name}"))).expect("our FMUs load"));
        Coupled { fmus, variables: [["y", "x"], ["x", "y"]] }
    };
    let versions = [pair(""), pair("fmi3/")];
    vec![
        against(&versions, "FMI 3.0 against 2.0: Gauss-Seidel, held", 1.05, |pair| fixed(pair, "gauss-seidel", 0)),
        against(&versions, "FMI 3.0 against 2.0: Jacobi, held", 1.05, |pair| fixed(pair, "jacobi", 0)),
        against(&versions, "FMI 3.0 against 2.0: step doubling, held", 1.05, |pair| doubling(pair).input_degree(0)),
        against(&versions, "FMI 3.0 against 2.0: Gauss-Seidel, degree 1", 1.05, |pair| fixed(pair, "gauss-seidel", 1)),
        bare_against(&versions, "FMI 3.0 against 2.0, no master: Gauss-Seidel", Pair::gauss_seidel, Pair::gauss_seidel),
        bare_against(&versions, "FMI 3.0 against 2.0, no master: step doubling", Pair::step_doubling, Pair::step_doubling),
    ]
}

/// What the longer calls of FMI 3.0 take by themselves: no master is involved.
fn bare_against(
    [limit, ours]: &[Coupled; 2],
    name: &str,
    run2: fn(&mut Pair<Side2>, usize),
    run3: fn(&mut Pair<Side3>, usize),
) -> Loop {
    Loop::of(name, 1.05, limit.bare(run2), Ours::Bare(Box::new(ours.bare(run3))))
}

/// The master with the first pair is what the master with the second one is compared with.
fn against([limit, ours]: &[Coupled; 2], name: &str, aim: f64, change: fn(System) -> System) -> Loop {
    let build = limit.system(change);
    let mut built: Option<(usize, Simulation)> = None;
    let bare = move |steps| {
        if built.as_ref().is_none_or(|(of, _)| *of != steps) {
            built = Some((steps, build(steps).threads(1).build().expect("the system fits")));
        }
        let (_, simulation) = built.as_mut().expect("it was built");
        _ = run(simulation, &mut []);
    };
    Loop::new(name, aim, bare, ours.system(change))
}

/// Networks of many sizes: no path may depend on the size of the pair.
pub fn of_networks(folder: &std::path::Path) -> Vec<Loop> {
    let mut loops = Vec::new();
    for signals in [1, 5, 40] {
        let path = Lean::new(&format!("wide{signals}")).signals(signals).define("EFFECT=-0.01").build(folder);
        let fmu = Fmu::open(path).expect("our FMUs load");
        for count in [3, 7, 50] {
            let kinds = [
                ("ring, held", "jacobi", Wiring::Ring, 0, 1.6 * 1.3),
                ("sums, held", "jacobi", Wiring::Sums, 0, 1.6 * 1.3),
                ("sums, degree 1", "gauss-seidel", Wiring::Sums, 1, 2.0 * 1.3),
            ];
            for (kind, sweep, wiring, degree, aim) in kinds {
                let mut network = Network::new(&fmu, (count, signals), wiring);
                let bare = move |steps| {
                    network.begin();
                    if sweep == "jacobi" { network.jacobi(steps, H) } else { network.gauss_seidel(steps, H) }
                };
                let fmu = fmu.clone();
                let build = move |steps| {
                    wired(&fmu, (count, signals), wiring).step(H).sweep(sweep).input_degree(degree).stop(steps as f64 * H)
                };
                let name = format!("{count} instances, {signals} signals, {kind}");
                let mut one = Loop::new(&name, aim, bare, build);
                one.steps = (200_000 / count / signals).max(500);
                loops.push(one);
            }
        }
    }
    loops
}

/// The same network for the master. Rows are not what is measured: none but the first and the last has all signals.
pub fn wired(fmu: &Fmu, (count, signals): (usize, usize), wiring: Wiring) -> System {
    let mut system = (0..count).fold(System::new(), |system, index| system.instance_of(&format!("i{index}"), fmu));
    for index in 0..count {
        let before = |distance: usize| (index + count - distance) % count;
        for signal in 1..=signals {
            let input = format!("i{index}.u{signal}");
            let [first, second] = [1, 2].map(|distance| format!("i{}.y{signal}", before(distance)));
            system = match wiring {
                Wiring::Ring => system.connect(&input, &first),
                Wiring::Sums => {
                    let mut system = system.connect_sum(&input, &[(&first, FACTORS[0]), (&second, FACTORS[1])]);
                    let connection = system.description_mut().connections.last_mut().expect("it was just made");
                    connection.sources[0].offset = OFFSET;
                    system
                }
            };
        }
    }
    system.record(&["i0.y1"])
}
