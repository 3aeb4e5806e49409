//! A custom coupling scheme and a custom step-size controller, on the predator–prey system.
//!
//! ```text
//! cargo xtask package-fmus
//! cargo run --release -p custom-method -- target/fmus/prey.fmu target/fmus/predator.fmu
//! ```
#![forbid(unsafe_code)]

mod alternating;
mod patient;

use std::{error::Error, process::ExitCode};

use alternating::Alternating;
use lotka::{Memory, MethodNameTaken, MethodRegistry, Report, System, observed_order};
use patient::Patient;

/// Prey at t = 100 s; all digits shown are correct (implicit solution of the equations, integrated with 30 digits).
const EXACT: f64 = 25.681_746_287_5;

/// Returns Lotka's methods and the two custom ones.
fn methods() -> Result<MethodRegistry, MethodNameTaken> {
    let methods = MethodRegistry::new().with_sweep("alternating", || Box::new(Alternating::default()))?;
    methods.with_controller("patient", || Box::new(Patient))
}

/// Connects prey and predators; until t = 100 s.
fn couple(instances: System) -> Result<System, MethodNameTaken> {
    let system = instances.connect("prey.y", "predator.y").connect("predator.x", "prey.x");
    Ok(system.stop(100.0).input_degree(0).methods(methods()?))
}

/// Runs a system. Returns the relative error of the prey at the end, and the report.
fn run(system: &System) -> Result<(f64, Report), Box<dyn Error>> {
    let mut rows = Memory::new();
    let report = system.build()?.run(&mut [&mut rows])?;
    let last = rows.real("prey.x").and_then(|prey| prey.last().copied()).ok_or("there are no rows")?;
    Ok(((last - EXACT).abs() / EXACT, report))
}

/// Returns the observed order of a scheme with fixed steps.
fn order(system: &System, sweep: &str) -> Result<f64, Box<dyn Error>> {
    let mut failure = None;
    let error = |h: f64| match run(&system.clone().sweep(sweep).step(h)) {
        Ok((error, _)) => error,
        Err(error) => {
            failure = Some(error);
            f64::NAN
        }
    };
    let order = observed_order(2.0, 0.5, error);
    failure.map_or_else(|| Ok(order?), Err)
}

/// Runs the whole comparison.
fn compare(instances: System) -> Result<(), Box<dyn Error>> {
    let system = couple(instances)?;
    for sweep in ["gauss-seidel", "alternating"] {
        println!("{sweep}: order {:.2}", order(&system, sweep)?);
    }
    for controller in ["i", "patient"] {
        let (error, report) = run(&system.clone().controller(controller).local_tolerance(1e-6))?;
        let counters = report.counters;
        println!("{controller}: {} steps, {} rejected, error {error:.1e}", counters.n_steps, counters.n_error_test_failures);
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [prey, predator] = arguments.as_slice() else {
        eprintln!("usage: custom-method PREY.fmu PREDATOR.fmu");
        return ExitCode::from(2);
    };
    match compare(System::new().instance("prey", prey).instance("predator", predator)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use lotka::{Checkpoint, Fmu, Notification, Observer, StepSizes};

    use super::*;

    fn system() -> System {
        let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
        let predator = Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
        couple(System::new().instance_of("prey", &prey).instance_of("predator", &predator)).unwrap()
    }

    #[test]
    fn the_scheme_has_order_2() {
        let order = order(&system(), "alternating").unwrap();
        assert!((order - 2.0).abs() < 0.2, "{order}");
    }

    /// Keeps the last checkpoint but some.
    #[derive(Default)]
    struct Checkpoints(Vec<Checkpoint>);

    impl Observer for Checkpoints {
        fn observe(&mut self, notification: &Notification<'_>) {
            if let Notification::Checkpoint(checkpoint) = notification {
                self.0.push((*checkpoint).clone());
            }
        }
    }

    #[test]
    fn a_checkpoint_knows_the_direction_of_the_scheme() {
        let system = system().sweep("alternating").step(0.5);
        let (mut whole, mut kept) = (Memory::new(), Checkpoints::default());
        let mut simulation = system.build().unwrap();
        simulation.checkpoint_token().unwrap().request_all();
        simulation.run(&mut [&mut whole, &mut kept]).unwrap();
        let all = whole.real("prey.x").unwrap();
        for checkpoint in &kept.0[100..102] {
            let mut rest = Memory::new();
            system.build().unwrap().resume(checkpoint, &mut [&mut rest]).unwrap();
            let rest = rest.real("prey.x").unwrap();
            assert_eq!(rest, &all[all.len() - rest.len()..]);
        }
    }

    #[test]
    fn the_controller_changes_steps_less_often_and_keeps_the_local_tolerance() {
        let changes = |controller: &str| {
            let mut sizes = StepSizes::default();
            let report = system().controller(controller).local_tolerance(1e-6).build().unwrap().run(&mut [&mut sizes]).unwrap();
            assert!(report.largest_error_estimate.is_some_and(|error| error <= 1.0), "{controller}");
            sizes.step.windows(2).filter(|pair| (pair[1] / pair[0] - 1.0).abs() > 1e-6).count() as f64 / sizes.step.len() as f64
        };
        let [patient, elementary] = ["patient", "i"].map(changes);
        assert!(patient < 0.2 * elementary, "{patient} of the steps, not {elementary}");
    }

    #[test]
    fn a_name_that_nobody_registered_is_a_problem_with_the_nearest_one() {
        let error = system().sweep("alternatng").step(0.5).build().err().unwrap().to_string();
        assert!(error.contains("`alternatng`") && error.contains("alternating"), "{error}");
    }
}
