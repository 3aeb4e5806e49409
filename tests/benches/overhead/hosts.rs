//! What a step costs more in a process of its own than in this one: medians, as a wait for the scheduler now and then says
//! nothing of the rest.

use std::hint::black_box;
use std::time::Instant;

use fmu::Fmu;
use lotka_host::HostedFmu;
use lotka_instance::{Experiment, Instance, InstanceFactory, ModelDescription, RealRef, StepOutcome};

const STEPS: usize = 50_000;
const H: f64 = 1e-6;

/// Medians in nanoseconds per step: in this process, in another one, in another one while every core has its host.
struct Medians {
    here: f64,
    hosted: f64,
    crowded: f64,
}

/// Steps an instance of the prey in each way.
fn measure() -> Medians {
    let path = tests::packed("prey");
    let fmu = Fmu::open(&path).expect("our FMUs load");
    let mut here = fmu.instantiate("here", &Default::default()).expect("our FMUs are instantiated");
    let hosted = tests::hosted(&path);
    let mut alone = hosted.instantiate("alone", &Default::default()).expect("our FMUs are hosted");
    let description = InstanceFactory::description(&fmu);
    [here.as_mut(), &mut alone].into_iter().for_each(|instance| start(instance, description));
    let medians = [median(here.as_mut(), 0), median(&mut alone, 0)];
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let others: Vec<_> = (0..cores).map(|_| other(&hosted)).collect();
    let crowded = median(&mut alone, STEPS);
    drop(others);
    Medians { here: medians[0], hosted: medians[1], crowded }
}

/// A host with nothing to do.
fn other(hosted: &HostedFmu) -> impl Instance + use<> {
    hosted.instantiate("other", &Default::default()).expect("our FMUs are hosted")
}

/// Of steps of an instance that has made `before` of them.
fn median(instance: &mut dyn Instance, before: usize) -> f64 {
    let mut outputs = [0.0];
    let mut times: Vec<_> = (before..before + STEPS)
        .map(|n| {
            let start = Instant::now();
            let outcome = instance.step(&[black_box(10.0)], n as f64 * H, H, true, &mut outputs);
            let time = start.elapsed();
            assert_eq!(outcome.expect("our FMUs step"), StepOutcome::Complete);
            time
        })
        .collect();
    times.sort();
    times[STEPS / 2].as_nanos() as f64
}

fn start(instance: &mut dyn Instance, description: &ModelDescription) {
    let [y, x] = ["y", "x"].map(|name| {
        let variable = description.variables.iter().find(|variable| variable.name == name);
        RealRef(variable.expect("the prey has it").value_reference)
    });
    let started = instance
        .setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None })
        .and_then(|()| instance.enter_initialization_mode())
        .and_then(|()| instance.exit_initialization_mode())
        .and_then(|()| instance.bind(&[y], &[x]));
    started.expect("our FMUs start");
}

/// Prints what a step costs more than in this process.
pub fn print() {
    let medians = measure();
    println!("\n{:<50} {:>9} {:>9} {:>9} {:>7}", "a step in a process of its own [ns]", "here", "there", "more", "aim");
    for (name, there, aim) in [("with a spare core", medians.hosted, 1000.0), ("without a spare core", medians.crowded, 6000.0)] {
        let more = there - medians.here;
        let verdict = if more <= aim { "met" } else { "missed" };
        println!("host, {name:<44} {:>9.0} {there:>9.0} {more:>9.0} {aim:>7.0}  {verdict}", medians.here);
    }
}
