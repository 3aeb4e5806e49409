//! The estimator that integrates derivatives of outputs beside the instances.

use lotka::{InputDelivery, StepSizes, System};
use tests::{
    predator_prey,
    systems::{self, Table},
};

use super::run;

/// Estimate of the last of `n` steps of size `h` \[s\], all of them accepted.
fn estimate(system: &System, h: f64, n: u32) -> f64 {
    let mut system = system.clone().estimator("parallel-embedded").local_tolerance(1e3).stop(h * f64::from(n));
    let experiment = &mut system.description_mut().experiment;
    for size in [&mut experiment.first_step, &mut experiment.min_step, &mut experiment.max_step] {
        *size = Some(h.into());
    }
    let mut steps = StepSizes::new();
    system.build().unwrap().run(&mut [&mut steps]).unwrap();
    assert_eq!(steps.estimates.len(), n as usize);
    1e3 * steps.estimates.last().unwrap().difference
}

/// Prey and predators until t = 20 s; both give derivatives.
fn species(sweep: &str, degree: u32, delivery: InputDelivery) -> System {
    let system = predator_prey().sweep(sweep).input_degree(degree).stop(20.0);
    if degree == 0 { system } else { system.input_delivery(delivery) }
}

#[test]
fn the_estimate_has_the_order_of_the_rule_and_of_the_inputs() {
    use InputDelivery::{Derivatives, Mean};
    for (sweep, degree, delivery, power) in [
        ("jacobi", 0, Mean, 2.0),
        ("gauss-seidel", 0, Mean, 2.0),
        ("jacobi", 1, Mean, 2.0),
        ("jacobi", 1, Derivatives, 3.0),
        ("gauss-seidel", 1, Derivatives, 3.0),
        ("jacobi", 2, Derivatives, 3.0),
    ] {
        let system = species(sweep, degree, delivery);
        let observed = (estimate(&system, 0.08, 8) / estimate(&system, 0.01, 64)).log2() / 3.0;
        assert!((observed - power).abs() < 0.2, "{sweep}, degree {degree}, {delivery:?}: {observed} instead of {power}");
    }
}

/// Two-sided: with held inputs the estimate is the true error of the step.
#[test]
fn with_held_inputs_the_estimate_is_the_local_error() {
    let local_error = |h: f64| {
        // The second step with held inputs, and the same from where it begins with a method of order 4 and small steps.
        let states = |h: f64, n: u32| {
            let (_, results) = run(&species("jacobi", 0, InputDelivery::Mean).step(h).stop(h * f64::from(n)));
            ["prey.x", "predator.y"].map(|name| *results.real(name).unwrap().last().unwrap())
        };
        let begin = states(h, 1);
        let system =
            species("jacobi", 3, InputDelivery::Derivatives).start_value("prey.x", begin[0]).start_value("predator.y", begin[1]);
        let (_, exact) = run(&system.step(h / 64.0).stop(h));
        let exact = ["prey.x", "predator.y"].map(|name| *exact.real(name).unwrap().last().unwrap());
        let weighted = states(h, 2).into_iter().zip(exact).map(|(got, exact)| ((got - exact) / (got.abs() + 1.0)).powi(2));
        (weighted.sum::<f64>() / 2.0).sqrt()
    };
    let deviation = |h: f64| (estimate(&species("jacobi", 0, InputDelivery::Mean), h, 2) / local_error(h) - 1.0).abs();
    let [coarse, fine] = [0.1, 0.0125].map(deviation);
    assert!(fine < 0.02 && fine < coarse / 4.0, "the estimate deviates by {coarse}, and with an eighth of the step by {fine}");
}

/// As with step doubling: local errors of order 3 and a result of order 2 make the 2/3rd power of the tolerance.
#[test]
fn errors_follow_the_tolerance_and_no_step_is_made_twice() {
    let exact = Table::predator_prey().at(20.0);
    let mut last = f64::INFINITY;
    for tolerance in [1e-3, 1e-4, 1e-5] {
        let system = species("jacobi", 1, InputDelivery::Derivatives).estimator("parallel-embedded").local_tolerance(tolerance);
        let (report, results) = run(&system);
        let got = ["prey.x", "predator.y"].map(|name| *results.real(name).unwrap().last().unwrap());
        let error = got.iter().zip(exact).map(|(got, exact)| (got / exact - 1.0).abs()).fold(0.0, f64::max);
        assert!(error < 0.4 * last && error < 2.0 * tolerance.powf(2.0 / 3.0), "{tolerance}: {error} after {last}");
        assert_eq!(report.counters.n_do_step_calls, 2 * report.counters.n_step_attempts);
        assert_eq!(report.counters.n_rollbacks, report.counters.n_error_test_failures);
        last = error;
    }
}

#[test]
fn what_it_cannot_see_is_reported_or_refused() {
    let force = systems::two_mass().sweep("jacobi").input_degree(1).estimator("parallel-embedded").local_tolerance(1e-3);
    let (report, _) = run(&force.clone().stop(1.0));
    assert!(
        report.warnings.iter().any(|warning| warning.text.contains("does not detect the errors of `right.f`")),
        "{:?}",
        report.warnings
    );
    let refused = |system: System| system.build().err().unwrap().to_string();
    let text = refused(force.output_derivatives(false));
    assert!(text.contains("output-derivatives = false") && text.contains("step-doubling"), "{text}");
    let text = refused(systems::black_box().estimator("parallel-embedded").local_tolerance(1e-3));
    assert!(text.contains("maxOutputDerivativeOrder") && text.contains("predictor-corrector"), "{text}");
}

/// Derivatives that only the estimator needs change nothing of a run with held inputs.
#[test]
fn reading_derivatives_changes_no_result() {
    let fixed = |estimator: &str| {
        let mut system = species("jacobi", 0, InputDelivery::Mean).stop(1.0).estimator(estimator).local_tolerance(1e3);
        system.description_mut().experiment.first_step = Some(0.125.into());
        system.description_mut().experiment.max_step = Some(0.125.into());
        let (_, results) = run(&system);
        results.real("prey.x").unwrap().to_vec()
    };
    assert_eq!(fixed("parallel-embedded"), fixed("predictor-corrector"));
}
