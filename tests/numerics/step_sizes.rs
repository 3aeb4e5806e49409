//! Step sizes under local error control: what controllers aim at, and which output limits a step.

use lotka::{InputDelivery, Notification, Observer, StepSizes, System};
use models::{Predator, Prey};
use tests::{joined, predator_prey, systems};

const ESTIMATORS: [&str; 4] = ["step-doubling", "predictor-corrector", "embedded", "parallel-embedded"];
const CONTROLLERS: [&str; 4] = ["i", "pi", "pid", "h211"];

/// Controllers aim at 0.9 to the power `p + 1` for estimators of order `p`, and keep near it where the error changes slowly.
#[test]
fn half_of_the_steps_are_on_either_side_of_what_controllers_aim_at() {
    use InputDelivery::{Derivatives, Mean};
    let species = |degree, delivery| predator_prey().stop(20.0).sweep("jacobi").input_degree(degree).input_delivery(delivery);
    let bond = |degree| systems::power_bond().sweep("gauss-seidel").input_degree(degree).output_derivatives(false);
    for (name, system, order) in [
        ("step-doubling", species(1, Mean), 2),
        ("predictor-corrector", species(1, Mean), 1),
        ("embedded", species(1, Mean), 1),
        ("parallel-embedded", species(1, Derivatives), 2),
        ("parallel-embedded", species(1, Mean), 1),
        ("energy", bond(1), 1),
        ("energy", bond(2), 2),
    ] {
        for controller in CONTROLLERS {
            let mut steps = StepSizes::new();
            let system = system.clone().estimator(name).controller(controller);
            let tolerance = if order == 1 { 1e-5 } else { 1e-8 };
            system.local_tolerance(tolerance).build().unwrap().run(&mut [&mut steps]).unwrap();
            let mut estimates: Vec<f64> = steps.estimates.iter().map(|estimates| estimates.difference).collect();
            estimates.sort_by(f64::total_cmp);
            let (median, aim) = (estimates[estimates.len() / 2], 0.9_f64.powi(order + 1));
            assert!((median - aim).abs() < 0.02, "{name} of order {order}, {controller}: {median} instead of {aim}");
        }
    }
}

/// Which outputs decided about steps, accepted and rejected.
#[derive(Default)]
struct Limiting(Vec<String>);

impl Observer for Limiting {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::StepAccepted { variable, .. } | Notification::StepRejected { variable, .. } = notification {
            self.0.extend(variable.map(str::to_owned));
        }
    }

    fn wants_steps(&self) -> bool {
        true
    }
}

/// Two species beside two that live a hundred times as slowly: the fast ones limit every step, wherever they stand among the
/// instances.
#[test]
fn the_output_that_limits_a_step_is_named() {
    let (prey, predator) = (joined::<Prey>(), joined::<Predator>());
    let pair = |system: System, name: &str, speed: f64| {
        let of = |variable: &str| format!("{name}_{variable}");
        let system = system.instance_of(&of("prey"), &prey).instance_of(&of("predator"), &predator);
        let system = system.connect(&of("prey.y"), &of("predator.y")).connect(&of("predator.x"), &of("prey.x"));
        let rates = [("prey.a", 1.0), ("prey.b", 0.2), ("predator.c", 0.8), ("predator.d", 0.1)];
        rates.iter().fold(system, |system, (rate, value)| system.start_value(&of(rate), value * speed))
    };
    let orders = [[("fast", 1.0), ("slow", 0.01)], [("slow", 0.01), ("fast", 1.0)]];
    for estimator in ESTIMATORS {
        for order in orders {
            let system = order.iter().fold(System::new(), |system, (name, speed)| pair(system, name, *speed)).stop(10.0);
            let system = system.input_degree(1).estimator(estimator).local_tolerance(1e-4);
            let mut limiting = Limiting::default();
            let report = system.build().unwrap().run(&mut [&mut limiting]).unwrap();
            assert_eq!(limiting.0.len() as u64, report.counters.n_step_attempts, "{estimator}");
            let slow: Vec<_> = limiting.0.iter().filter(|name| !name.starts_with("fast_")).collect();
            assert!(slow.is_empty(), "{estimator}, {order:?}: {slow:?}");
            for output in ["fast_prey.x", "fast_predator.y"] {
                assert!(limiting.0.iter().any(|name| name == output), "{estimator}, {order:?}: never {output}");
            }
        }
    }
}

/// Whatever is refused beside `tolerance` or `step` is dropped where these replace it.
#[test]
fn a_new_way_leaves_nothing_behind_that_does_not_go_with_it() {
    let mut system = predator_prey().local_tolerance(1e-4).estimator("embedded").controller("i").min_iterated_step(1e-3);
    let experiment = &mut system.description_mut().experiment;
    experiment.absolute_tolerance = Some(1e-6.into());
    for size in [&mut experiment.first_step, &mut experiment.min_step, &mut experiment.max_step] {
        *size = Some(0.1.into());
    }
    let system = system.iterations(5, None);
    for (system, ignored) in [
        (system.clone().tolerance(1e-4), "`estimator`, `controller`, `first-step`, `min-step`, `min-iterated-step`"),
        (system.step(0.1), "`estimator`, `controller`, `first-step`, `min-step`, `max-step`, `absolute-tolerance`"),
    ] {
        let simulation = system.build().unwrap();
        let ignored = format!("Lotka ignores {ignored}");
        assert!(simulation.warnings().iter().any(|warning| warning.to_string().ends_with(&ignored)), "{ignored}");
    }
}

/// A number that is none is one problem, and no panic.
#[test]
fn sizes_that_are_no_numbers_are_refused() {
    for size in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        let smaller = predator_prey().step(size).iterations(5, None).on_no_convergence(lotka::NoConvergence::SmallerSteps);
        let mut largest = predator_prey().local_tolerance(1e-4);
        largest.description_mut().experiment.max_step = Some(size.into());
        for (system, key) in [(smaller, "step"), (largest, "max-step")] {
            let text = system.build().err().unwrap().to_string();
            assert_eq!(text, format!("expected a value greater than 0 for `{key}`, found {size}"));
        }
    }
}
