//! What the master costs: each loop of the master against a bare loop over the same loaded functions, in one process, interleaved.
//!
//! Every figure is a ratio of two minima over many rounds, so that the speed of the machine cancels. Run with `cargo xtask bench`.

mod bare;

use std::{io, time::Instant};

use bare::Bare;
use fmu::Fmu;
use lotka::{Csv, Observer, Simulation, System};

const STEPS: usize = 20_000;
const ROUNDS: usize = 40;
const H: f64 = 1e-3;

/// One comparison: what is measured, and the nanoseconds per communication step of each side.
struct Line {
    name: String,
    bare: f64,
    master: f64,
}

fn main() {
    let [prey, predator] = ["prey", "predator"].map(|name| Fmu::open(tests::packed(name)).expect("our FMUs load"));
    let pair = || tests::couple(&prey, &predator).stop(STEPS as f64 * H);
    println!("{:<34} {:>10} {:>10} {:>8}  aim", "ns per communication step", "bare", "master", "ratio");
    let bare = || Bare::new(&prey, &predator, H);
    let gauss_seidel = compare("Gauss-Seidel, fixed steps", &mut bare(), Bare::gauss_seidel, pair().step(H));
    gauss_seidel.print("<= 1.25");
    compare("Jacobi, fixed steps", &mut bare(), Bare::jacobi, pair().step(H).sweep("jacobi")).print("<= 1.5");
    let mut doubling = pair().local_tolerance(1e3);
    let experiment = &mut doubling.description_mut().experiment;
    experiment.first_step = Some(H.into());
    experiment.min_step = Some(H.into());
    experiment.max_step = Some(H.into());
    compare("Gauss-Seidel, step doubling", &mut bare(), Bare::step_doubling, doubling).print("<= 1.55");
    let csv = compare_csv(&mut bare(), pair().step(H));
    println!("{:<34} {:>10.1} {:>10.1} {:>8.1}  <= 30 ns more per row", csv.name, csv.bare, csv.master, csv.master - csv.bare);
    rings(&prey);
}

impl Line {
    fn print(&self, aim: &str) {
        println!("{:<34} {:>10.1} {:>10.1} {:>8.2}  {aim}", self.name, self.bare, self.master, self.master / self.bare);
    }
}

/// Minimum time of `run` in nanoseconds per step.
fn time(best: &mut f64, steps: usize, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    *best = best.min(start.elapsed().as_nanos() as f64 / steps as f64);
}

fn compare(name: &str, bare: &mut Bare, run: fn(&mut Bare, usize), system: System) -> Line {
    let mut simulation = system.build().expect("the system fits");
    let mut line = Line { name: name.into(), bare: f64::INFINITY, master: f64::INFINITY };
    for _ in 0..ROUNDS {
        bare.begin();
        time(&mut line.bare, STEPS, || run(bare, STEPS));
        time(&mut line.master, STEPS, || run_master(&mut simulation, &mut []));
    }
    line
}

fn compare_csv(bare: &mut Bare, system: System) -> Line {
    let mut simulation = system.build().expect("the system fits");
    let mut line = Line { name: "Gauss-Seidel, CSV of every step".into(), bare: f64::INFINITY, master: f64::INFINITY };
    for _ in 0..ROUNDS {
        bare.begin();
        time(&mut line.bare, STEPS, || bare.gauss_seidel_csv(STEPS));
        let mut csv = Csv::new(io::sink());
        time(&mut line.master, STEPS, || run_master(&mut simulation, &mut [&mut csv]));
        csv.finish().expect("the sink takes everything");
    }
    line
}

fn run_master(simulation: &mut Simulation, observers: &mut [&mut dyn Observer]) {
    let report = simulation.run(observers).expect("the run ends well");
    assert!(report.statistics.n_steps >= 1);
}

/// Jacobi rings of K instances: the cost of one instance step must not grow with K.
fn rings(prey: &Fmu) {
    println!("\n{:<34} {:>10}", "ring of K instances", "ns per instance step");
    let mut smallest = f64::INFINITY;
    let mut largest: f64 = 0.0;
    for count in [2, 10, 100, 1000, 4000] {
        let steps = (200_000 / count).max(20);
        let names: Vec<_> = (0..count).map(|index| format!("i{index}")).collect();
        let mut system = names.iter().fold(System::new(), |system, name| system.instance_of(name, prey));
        for index in 0..count {
            let source = &names[(index + count - 1) % count];
            system = system.connect(&format!("{}.y", names[index]), &format!("{source}.x"));
        }
        let start = Instant::now();
        let mut simulation = system.step(1e-6).stop(steps as f64 * 1e-6).sweep("jacobi").build().expect("the ring fits");
        let set_up = start.elapsed();
        let mut best = f64::INFINITY;
        for _ in 0..10 {
            time(&mut best, steps * count, || run_master(&mut simulation, &mut []));
        }
        println!("K = {count:<30} {best:>10.1}   (built in {:.0} ms)", set_up.as_secs_f64() * 1e3);
        smallest = smallest.min(best);
        largest = largest.max(best);
    }
    println!("{:<34} {:>10.2}  aim <= 1.3", "largest over smallest", largest / smallest);
}
