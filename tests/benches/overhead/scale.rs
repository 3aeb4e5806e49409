//! What a system costs before its first step, by its size, and what short runs cost.

use std::path::Path;

use fmu::Fmu;
use lotka::{Memory, System};
use tests::lean::Lean;

use crate::{
    bare::{Network, Wiring},
    count,
    loops::{run, time, wired},
    table::Line,
};

const H: f64 = 1e-3;
const ROUNDS: usize = 5;

/// Numbers of instances of the rings.
const SIZES: [usize; 5] = [10, 100, 1000, 4000, 8000];

/// Number of signals of each of two wide FMUs, and of those that are connected both ways.
const WIDTH: usize = 25_000;
const CONNECTED: usize = 10_000;

/// Number of instances of the loop of direct feedthrough.
const LOOP: usize = 4000;

/// Number of FMUs with a file each.
const FILES: usize = 64;

/// Number of rows of a long table.
const ROWS: usize = 100_000;

/// Number of steps of a short run.
const SHORT: usize = 1000;

/// What is compared.
#[derive(Clone, Copy)]
pub enum Subject {
    /// Building a ring of so many instances of a loaded FMU, and its first step.
    Ring(usize),
    /// Opening two FMUs with 50 000 variables each, building 20 000 connections, and the first step.
    Wide,
    /// Opening so many FMUs, each a file of its own, building a ring of them, and the first step; the limit opens and
    /// instantiates them.
    Files,
    /// A run with `tolerance` that writes 100 000 rows, most of them between its steps; the limit is a run of as many steps with
    /// as many rows.
    Rows,
    /// Steps of an iterated loop of 4000 instances with direct feedthrough.
    Loop,
    /// A run of 1000 steps of a simulation that has run before.
    Again,
    /// The same with another start value.
    AgainFromElsewhere,
}

pub fn all() -> Vec<Subject> {
    SIZES
        .into_iter()
        .map(Subject::Ring)
        .chain([Subject::Wide, Subject::Files, Subject::Rows, Subject::Loop, Subject::Again, Subject::AgainFromElsewhere])
        .collect()
}

impl Subject {
    pub fn name(self) -> String {
        match self {
            Self::Ring(count) => format!("ring of {count}: build and first step"),
            Self::Wide => "two FMUs of 50000 variables: open, build and first step".to_owned(),
            Self::Files => format!("{FILES} FMUs of one file each: open, build and first step"),
            Self::Rows => format!("{ROWS} rows of a tolerance, against as many steps"),
            Self::Loop => format!("feedthrough ring of {LOOP}, iterated, per pass"),
            Self::Again => format!("{SHORT} steps of a simulation that has run before"),
            Self::AgainFromElsewhere => format!("{SHORT} steps of a simulation that has run before, set_start"),
        }
    }

    pub fn measure(self, folder: &Path) -> Line {
        let Some(Sides { aim, mut bare, mut ours }) = self.sides(folder) else { return feedthrough(self.name(), folder) };
        let (mut limit, mut best) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            time(&mut limit, &mut bare);
            time(&mut best, &mut ours);
        }
        Line { name: self.name(), limit: limit * 1e-6, ours: best * 1e-6, unit: "ms", aim, instructions: None }
    }

    pub fn count(self, line: &mut Line) {
        if !matches!(self, Self::Loop) {
            line.instructions = count::instructions(&line.name, [1, 2]);
        }
    }

    /// Does the work of one side so many times, for a tool that counts instructions.
    pub fn run_once(self, folder: &Path, is_bare: bool, times: usize) {
        let Sides { mut bare, mut ours, .. } = self.sides(folder).expect("the line has two sides");
        (0..times).for_each(|_| if is_bare { bare() } else { ours() });
    }

    /// `None` for the line whose figures are differences.
    fn sides(self, folder: &Path) -> Option<Sides> {
        Some(match self {
            Self::Ring(count) => ring(count, folder),
            Self::Wide => wide(folder),
            Self::Files => files(folder),
            Self::Rows => rows(),
            Self::Again | Self::AgainFromElsewhere => again(self, folder),
            Self::Loop => return None,
        })
    }
}

/// What is compared, and the ratio that is aimed at.
struct Sides {
    aim: f64,
    bare: Box<dyn FnMut()>,
    ours: Box<dyn FnMut()>,
}

impl Sides {
    fn new(aim: f64, bare: impl FnMut() + 'static, ours: impl FnMut() + 'static) -> Self {
        Self { aim, bare: Box::new(bare), ours: Box::new(ours) }
    }
}

fn open(lean: Lean, folder: &Path) -> Fmu {
    Fmu::open(lean.build(folder)).expect("our FMUs load")
}

fn ring(count: usize, folder: &Path) -> Sides {
    let fmu = open(Lean::new("prey"), folder);
    let loaded = fmu.clone();
    let bare = move || {
        let mut network = Network::new(&loaded, (count, 1), Wiring::Ring);
        network.begin();
        network.jacobi(1, H);
    };
    let ours = move || {
        let system = wired(&fmu, (count, 1), Wiring::Ring).step(H).sweep("jacobi").stop(H);
        run(&mut system.build().expect("the ring fits"), &mut []);
    };
    Sides::new(60.0, bare, ours)
}

fn wide(folder: &Path) -> Sides {
    let path = Lean::new("wide").signals(WIDTH).build(folder);
    let file = path.clone();
    let bare = move || {
        let fmus = [0, 1].map(|_| Fmu::open(&file).expect("our FMUs load"));
        let mut network = Network::new(&fmus[0], (2, CONNECTED), Wiring::Ring);
        network.begin();
        network.jacobi(1, H);
    };
    let ours = move || {
        let mut system =
            System::new().instance("a", &path).instance("b", &path).step(H).sweep("jacobi").stop(H).record(&["a.y1"]);
        for signal in 1..=CONNECTED {
            let [inputs, outputs] = ["u", "y"].map(|letter| ["a", "b"].map(|name| format!("{name}.{letter}{signal}")));
            system = system.connect(&inputs[0], &outputs[1]).connect(&inputs[1], &outputs[0]);
        }
        run(&mut system.build().expect("the pair fits"), &mut []);
    };
    Sides::new(3.0, bare, ours)
}

/// The same library in files of their own; without a master, they are opened and instantiated one after the other.
fn files(folder: &Path) -> Sides {
    let paths: Vec<_> = (0..FILES).map(|n| Lean::new(&format!("file{n}")).build(folder)).collect();
    let all = paths.clone();
    let bare = move || {
        for path in &all {
            let fmu = Fmu::open(path).expect("our FMUs load");
            fmu.instantiate("a", &Default::default()).expect("our FMUs are instantiated");
        }
    };
    let ours = move || {
        let mut system = System::new().step(H).sweep("jacobi").stop(H);
        for (n, path) in paths.iter().enumerate() {
            system = system
                .threads(1)
                .instance(&format!("i{n}"), path)
                .connect(&format!("i{n}.u1"), &format!("i{}.y1", (n + 1) % FILES));
        }
        run(&mut system.build().expect("the ring fits"), &mut []);
    };
    Sides::new(1.5, bare, ours)
}

fn rows() -> Sides {
    const STOP: f64 = 100.0;
    let interval = STOP / ROWS as f64;
    let of = move |system: System| run(&mut system.stop(STOP).build().expect("the pair fits"), &mut [&mut Memory::new()]);
    let steps = move || _ = of(tests::predator_prey().step(interval).input_degree(1));
    let tolerance = move || _ = of(tests::predator_prey().tolerance(1e-6).max_step(0.1).output_interval(interval).threads(1));
    Sides::new(6.0, steps, tolerance)
}

/// Per pass over all instances: a bare pass against one of an iteration, with its rollback and its test of convergence.
fn feedthrough(name: String, folder: &Path) -> Line {
    const STEPS: [usize; 2] = [1, 11];
    let fmu = open(Lean::new("feedthrough").define("FEEDTHROUGH=0.5"), folder);
    let mut network = Network::new(&fmu, (LOOP, 1), Wiring::Ring);
    let mut simulations = STEPS.map(|steps| {
        let system = wired(&fmu, (LOOP, 1), Wiring::Ring).step(H).sweep("gauss-seidel").input_degree(0);
        system.iterations(50, Some(1e-9)).stop(steps as f64 * H).build().expect("the ring fits")
    });
    let passes = simulations.each_mut().map(|simulation| run(simulation, &mut []).1);
    let mut network_of = |steps: usize| {
        network.begin();
        network.gauss_seidel(steps, H);
    };
    let (mut bare, mut ours) = ([f64::INFINITY; 2], [f64::INFINITY; 2]);
    for _ in 0..ROUNDS {
        for (index, steps) in STEPS.into_iter().enumerate() {
            time(&mut bare[index], || network_of(steps));
            time(&mut ours[index], || _ = run(&mut simulations[index], &mut []));
        }
    }
    let limit = (bare[1] - bare[0]) / (STEPS[1] - STEPS[0]) as f64;
    let ours = (ours[1] - ours[0]) / (passes[1] - passes[0]).max(1.0);
    Line { name, limit: limit * 1e-6, ours: ours * 1e-6, unit: "ms", aim: 4.0, instructions: None }
}

fn again(subject: Subject, folder: &Path) -> Sides {
    let prey = open(Lean::new("prey"), folder);
    let mut network = Network::new(&prey, (2, 1), Wiring::Ring);
    let system = wired(&prey, (2, 1), Wiring::Ring).step(H).sweep("gauss-seidel").input_degree(0).stop(SHORT as f64 * H);
    let mut simulation = system.build().expect("the ring fits");
    let bare = move || {
        network.begin();
        network.gauss_seidel(SHORT, H);
    };
    let mut start = 10.0;
    let ours = move || {
        if matches!(subject, Subject::AgainFromElsewhere) {
            start += 1.0;
            simulation.set_start("i0.u1", start).expect("it is an input");
        }
        run(&mut simulation, &mut []);
    };
    Sides::new(45.0 / 33.0, bare, ours)
}
