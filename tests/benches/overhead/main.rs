//! What the master costs: each loop of the master against a bare loop over the same loaded functions, in one process, interleaved.
//!
//! Every figure is the minimum over many rounds, in which both sides take turns, so that the load of the machine matters little and
//! its speed cancels in the ratio. Run with `cargo xtask bench`, or `cargo xtask bench NAME` for the lines whose name contains NAME.

mod bare;
mod hosts;

use std::{
    io,
    time::{Duration, Instant},
};

use bare::{Bare, Ring};
use fmu::Fmu;
use lotka::{Csv, Notification, Observer, Simulation, System};

const STEPS: usize = 20_000;
const ROUNDS: usize = 40;
const H: f64 = 1e-3;
const RING_H: f64 = 1e-6;

/// A bare loop over so many steps.
type BareLoop = fn(&mut Bare, usize);

/// One comparison: nanoseconds per communication step of each side.
struct Line {
    bare: f64,
    master: f64,
}

impl Line {
    fn ratio(&self) -> f64 {
        self.master / self.bare
    }

    fn print(&self, name: &str, figure: f64, aim: f64, unit: &str) {
        let verdict = if figure <= aim { "met" } else { "missed" };
        println!("{name:<34} {:>8.1} {:>8.1} {figure:>8.2} {:>8}  {verdict}", self.bare, self.master, format!("{aim}{unit}"));
    }
}

fn main() {
    let [prey, predator] = ["prey", "predator"].map(|name| Fmu::open(tests::packed(name)).expect("our FMUs load"));
    let pair = || tests::couple(&prey, &predator).stop(STEPS as f64 * H);
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let wanted = |name: &str| name.to_lowercase().contains(&filter.to_lowercase());
    println!("{:<34} {:>8} {:>8} {:>8} {:>8}", "ns per communication step", "bare", "master", "ratio", "aim");
    let lines: [(&str, BareLoop, System, f64); 3] = [
        ("Gauss-Seidel, fixed steps", Bare::gauss_seidel, pair().sweep("gauss-seidel").step(H), 1.25),
        ("Jacobi, fixed steps", Bare::jacobi, pair().step(H).sweep("jacobi"), 1.5),
        ("Gauss-Seidel, step doubling", Bare::step_doubling, doubling(pair()), 1.55),
    ];
    for (name, run, system, aim) in lines.into_iter().filter(|line| wanted(line.0)) {
        let line = compare(&mut Bare::new(&prey, &predator, H), run, system);
        line.print(name, line.ratio(), aim, "");
    }
    if wanted("csv") {
        let line = compare_csv(&mut Bare::new(&prey, &predator, H), pair().sweep("gauss-seidel").step(H));
        line.print("Gauss-Seidel, CSV of every step", line.master - line.bare, 30.0, " ns");
    }
    if wanted("ring") {
        rings(&prey);
    }
    if wanted("host") {
        hosts();
    }
}

/// A step of one instance in a process of its own.
fn hosts() {
    let medians = hosts::measure();
    let lines = [("host, with a spare core", medians.hosted, 1000.0), ("host, without a spare core", medians.crowded, 6000.0)];
    for (name, master, aim) in lines {
        let line = Line { bare: medians.here, master };
        line.print(name, line.master - line.bare, aim, " ns");
    }
}

/// Step doubling that accepts every step, so that both sides do the same work.
fn doubling(pair: System) -> System {
    let mut system = pair.sweep("gauss-seidel").local_tolerance(1e3);
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

fn compare(bare: &mut Bare, run: BareLoop, system: System) -> Line {
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
    assert!(report.counters.n_steps >= 1);
}

/// Jacobi rings of K instances: what the master adds to an instance step must not grow with K more than the FMUs' own memory does.
fn rings(prey: &Fmu) {
    println!("\n{:<34} {:>8} {:>8} {:>8}", "ring of K, ns per instance step", "bare", "master", "ratio");
    let lines = [2, 10, 100, 1000, 4000].map(|count| {
        let start = Instant::now();
        let mut simulation = ring(prey, count);
        let set_up = start.elapsed().as_secs_f64() * 1e3;
        let line = compare_ring(&mut Ring::new(prey, count), &mut simulation, count);
        println!("K = {count:<30} {:>8.1} {:>8.1} {:>8.2}  built in {set_up:.0} ms", line.bare, line.master, line.ratio());
        line
    });
    let growth = |side: fn(&Line) -> f64| {
        let (least, most) = lines.iter().map(side).fold((f64::INFINITY, 0.0_f64), |(least, most), x| (least.min(x), most.max(x)));
        most / least
    };
    let growths = Line { bare: growth(|line| line.bare), master: growth(|line| line.master) };
    growths.print("largest over smallest", growths.master, 1.3, "");
}

/// Steps of a ring of so many instances in one round.
fn ring_steps(count: usize) -> usize {
    (200_000 / count).max(20)
}

fn ring(prey: &Fmu, count: usize) -> Simulation {
    let names: Vec<_> = (0..count).map(|index| format!("i{index}")).collect();
    let mut system = names.iter().fold(System::new(), |system, name| system.instance_of(name, prey));
    for index in 0..count {
        let source = &names[(index + count - 1) % count];
        system = system.connect(&format!("{}.y", names[index]), &format!("{source}.x"));
    }
    let stop = ring_steps(count) as f64 * RING_H;
    system.step(RING_H).output_interval(stop).stop(stop).sweep("jacobi").build().expect("the ring fits")
}

/// Measures from the first row to the last: without initialization, which is a large part of a short run of many instances.
struct Stopwatch {
    first: Option<Instant>,
    elapsed: Duration,
}

impl Observer for Stopwatch {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Row(_) = notification {
            self.elapsed = self.first.get_or_insert_with(Instant::now).elapsed();
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

fn compare_ring(bare: &mut Ring, simulation: &mut Simulation, count: usize) -> Line {
    let steps = ring_steps(count);
    let mut line = Line { bare: f64::INFINITY, master: f64::INFINITY };
    for _ in 0..10 {
        bare.begin();
        time(&mut line.bare, steps * count, || bare.jacobi(steps, RING_H));
        let mut stopwatch = Stopwatch { first: None, elapsed: Duration::ZERO };
        run_master(simulation, &mut [&mut stopwatch]);
        line.master = line.master.min(stopwatch.elapsed.as_nanos() as f64 / (steps * count) as f64);
    }
    line
}
