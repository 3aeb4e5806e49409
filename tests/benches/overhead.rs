//! What the master costs: each loop of the master against a bare loop over the same loaded functions, in one process, interleaved.
//!
//! Every figure is a ratio of two minima over many rounds, so that the speed of the machine cancels. Run with `cargo xtask bench`, or
//! `cargo xtask bench NAME` for the lines whose name contains NAME.

mod bare;

use std::{io, time::Instant};

use bare::Bare;
use fmu::Fmu;
use lotka::{Csv, Observer, Simulation, System};

const STEPS: usize = 20_000;
const ROUNDS: usize = 40;
const H: f64 = 1e-3;

/// One comparison: nanoseconds per communication step of each side.
struct Line {
    bare: f64,
    master: f64,
}

fn main() {
    let [prey, predator] = ["prey", "predator"].map(|name| Fmu::open(tests::packed(name)).expect("our FMUs load"));
    let pair = || tests::couple(&prey, &predator).stop(STEPS as f64 * H);
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let wanted = |name: &str| name.to_lowercase().contains(&filter.to_lowercase());
    println!("{:<34} {:>10} {:>10} {:>8}  aim", "ns per communication step", "bare", "master", "ratio");
    let fixed: [(&str, fn(&mut Bare, usize), System, &str); 3] = [
        ("Gauss-Seidel, fixed steps", Bare::gauss_seidel, pair().step(H), "<= 1.25"),
        ("Jacobi, fixed steps", Bare::jacobi, pair().step(H).sweep("jacobi"), "<= 1.5"),
        ("Gauss-Seidel, step doubling", Bare::step_doubling, doubling(pair()), "<= 1.55"),
    ];
    for (name, run, system, aim) in fixed.into_iter().filter(|line| wanted(line.0)) {
        let line = compare(&mut Bare::new(&prey, &predator, H), run, system);
        println!("{name:<34} {:>10.1} {:>10.1} {:>8.2}  {aim}", line.bare, line.master, line.master / line.bare);
    }
    if wanted("csv") {
        let line = compare_csv(&mut Bare::new(&prey, &predator, H), pair().step(H));
        let name = "Gauss-Seidel, CSV of every step";
        println!("{name:<34} {:>10.1} {:>10.1} {:>+8.1}  <= +30 ns per row", line.bare, line.master, line.master - line.bare);
    }
    if wanted("ring") {
        rings(&prey);
    }
}

/// Step doubling that accepts every step, so that both sides do the same work.
fn doubling(pair: System) -> System {
    let mut system = pair.local_tolerance(1e3);
    let experiment = &mut system.description_mut().experiment;
    experiment.first_step = Some(H.into());
    experiment.min_step = Some(H.into());
    experiment.max_step = Some(H.into());
    system
}

/// Minimum time of `run` in nanoseconds per step.
fn time(best: &mut f64, steps: usize, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    *best = best.min(start.elapsed().as_nanos() as f64 / steps as f64);
}

fn compare(bare: &mut Bare, run: fn(&mut Bare, usize), system: System) -> Line {
    let mut simulation = system.build().expect("the system fits");
    let mut line = Line { bare: f64::INFINITY, master: f64::INFINITY };
    for _ in 0..ROUNDS {
        bare.begin();
        time(&mut line.bare, STEPS, || run(bare, STEPS));
        time(&mut line.master, STEPS, || run_master(&mut simulation, &mut []));
    }
    line
}

fn compare_csv(bare: &mut Bare, system: System) -> Line {
    let mut simulation = system.build().expect("the system fits");
    let mut line = Line { bare: f64::INFINITY, master: f64::INFINITY };
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
