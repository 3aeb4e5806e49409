//! Control of the local error: every estimator with every controller, orders of the estimates, FMUs that cannot go back, and what
//! is refused.

use lotka::{Code, Estimates, FeedthroughOutputs, InputDelivery, Memory, Notification, Observer, StepSizes, System};
use tests::{
    predator_prey, run,
    systems::{self, Known, Table, known},
};

const ESTIMATORS: [&str; 3] = ["step-doubling", "predictor-corrector", "embedded"];
const CONTROLLERS: [&str; 4] = ["i", "pi", "pid", "h211"];

/// Predator–prey until t = 20 s.
pub(super) fn species() -> (System, Known<2>) {
    let states: &'static [(f64, [f64; 2])] = vec![(20.0, Table::predator_prey().at(20.0))].leak();
    (predator_prey().stop(20.0), Known { variables: ["prey.x", "predator.y"], states })
}

/// Linear inputs from history; slopes of outputs with feedthrough would not know how their inputs change.
fn masses() -> System {
    systems::two_mass().sweep("jacobi").output_derivatives(false).input_delivery(InputDelivery::Mean)
}

/// Largest error of the known states at the end, relative to the largest of each state.
pub(super) fn error_at_end<const N: usize>(results: &Memory, known: &Known<N>) -> f64 {
    let (_, exact) = known.states.last().unwrap();
    let scale = exact.iter().fold(0.0_f64, |scale, x| scale.max(x.abs()));
    let got = known.variables.map(|variable| *results.real(variable).unwrap().last().unwrap());
    got.iter().zip(exact).map(|(got, exact)| (got - exact).abs() / scale).fold(0.0, f64::max)
}

/// The error goes with the tolerance: with its 2/3rd power under step doubling of a method of order 2, whose local errors are of
/// order 3, and with the tolerance itself where inputs are compared, whose errors are of order 2. At the end it is at most
/// `largest` tolerances, and not far below. Estimates come near the tolerance, and few steps are rejected.
fn errors_follow_tolerances<const N: usize>(system: &System, known: &Known<N>, largest: [f64; 3]) {
    for (estimator, largest) in ESTIMATORS.into_iter().zip(largest) {
        let expected = if estimator == "step-doubling" { 100.0_f64.powf(2.0 / 3.0) } else { 100.0 };
        for controller in CONTROLLERS {
            let system = system.clone().input_degree(1).estimator(estimator).controller(controller);
            let [(_, coarse), (report, fine)] = [1e-3, 1e-5].map(|tolerance| {
                let (report, results) = run(&system.clone().local_tolerance(tolerance));
                (report, error_at_end(&results, known))
            });
            let name = format!("{estimator}, {controller}: {coarse:.1e} {fine:.1e} {:?}", report.counters);
            assert!((0.4..1.7).contains(&(coarse / fine / expected)), "{name}");
            assert!((0.2..1.0).contains(&(fine / 1e-5 / largest)), "{name}");
            let estimate = report.largest_error_estimate.unwrap();
            assert!((0.5..=1.0).contains(&estimate), "{name}: {estimate}");
            assert!(report.counters.n_error_test_failures <= report.counters.n_steps / 20, "{name}");
        }
    }
}

#[test]
fn every_estimator_and_controller_on_predator_prey() {
    let (system, known) = species();
    errors_follow_tolerances(&system, &known, [30.0, 1.0, 1.0]);
}

#[test]
fn every_estimator_and_controller_on_two_masses() {
    errors_follow_tolerances(&masses(), &known::TWO_MASS, [600.0, 50.0, 100.0]);
}

/// Estimates of the last of some steps of `h`, whatever the tolerance is.
fn estimates(system: &System, h: f64, count: u32) -> Estimates {
    let mut system = system.clone().stop(h * f64::from(count)).local_tolerance(1e3);
    let experiment = &mut system.description_mut().experiment;
    experiment.absolute_tolerance = Some(1.0.into());
    for size in [&mut experiment.first_step, &mut experiment.min_step, &mut experiment.max_step] {
        *size = Some(h.into());
    }
    let mut steps = StepSizes::new();
    system.build().unwrap().run(&mut [&mut steps]).unwrap();
    assert_eq!(steps.step.len(), count as usize);
    *steps.estimates.last().unwrap()
}

/// The one that every estimator has.
fn estimate(system: &System, h: f64, count: u32) -> f64 {
    estimates(system, h, count).difference
}

/// Two-sided: the estimate behaves as the power of the step size for which the step size is computed.
#[test]
fn estimates_have_their_orders() {
    let rows = [
        ("predictor-corrector", 0, 1.0),
        ("predictor-corrector", 1, 2.0),
        ("predictor-corrector", 2, 3.0),
        ("predictor-corrector", 3, 4.0),
        ("embedded", 1, 2.0),
        ("embedded", 2, 3.0),
        ("embedded", 3, 4.0),
        ("step-doubling", 1, 3.0),
    ];
    for (estimator, degree, order) in rows {
        let system = predator_prey().sweep("jacobi").input_degree(degree).output_derivatives(false).estimator(estimator);
        let [coarse, fine] = [6, 9].map(|n| estimate(&system, 2.0_f64.powi(-n), 8).log2());
        let observed = (coarse - fine) / 3.0;
        assert!((observed - order).abs() < 0.2, "{estimator}, degree {degree}: {observed}");
    }
}

/// One held source makes the method one of order 1: the estimate is the whole difference, and slopes are compared, too.
#[test]
fn a_held_source_beside_linear_ones_gives_order_1() {
    let linear = predator_prey().sweep("gauss-seidel").input_degree(1).output_derivatives(false);
    for connection in 0..2 {
        let mut mixed = linear.clone();
        mixed.description_mut().connections[connection].sources[0].degree = Some(0.into());
        let [coarse, fine] = [6, 9].map(|n| estimates(&mixed, 2.0_f64.powi(-n), 8));
        let observed = (coarse.difference / fine.difference).log2() / 3.0;
        assert!((observed - 2.0).abs() < 0.2 && fine.slope > 0.0, "connection {connection}: {observed}, {fine:?}");
    }
    assert_eq!(estimates(&linear, 1e-2, 8).slope, 0.0);
}

/// Iterated inputs have an error of their own: Milne's factor is a fifth of that of extrapolated ones.
#[test]
fn the_factor_of_iterated_inputs_is_smaller() {
    let system = predator_prey().sweep("jacobi").input_degree(1).output_derivatives(false).estimator("predictor-corrector");
    let ratio = estimate(&system, 1e-2, 8) / estimate(&system.clone().iterations(50, Some(1e-12)), 1e-2, 8);
    assert!((4.9..5.1).contains(&ratio), "{ratio}");
}

/// Held inputs are extrapolated ones, too: the estimate is half the change of what is exchanged.
#[test]
fn predictor_corrector_with_held_inputs() {
    let (system, known) = species();
    for (sweep, most) in [("gauss-seidel", 1.0), ("jacobi", 1.0), ("symmetric", 0.01)] {
        let system = system.clone().sweep(sweep).estimator("predictor-corrector").local_tolerance(1e-2);
        let (report, results) = run(&system);
        let error = error_at_end(&results, &known);
        assert!(error <= 1e-2 * most && report.counters.n_steps < 200, "{sweep}: {error:e}, {:?}", report.counters);
    }
}

#[test]
fn predictor_corrector_makes_no_extra_steps() {
    let (report, _) = run(&systems::black_box().input_degree(1).estimator("predictor-corrector").local_tolerance(1e-4));
    assert_eq!(report.counters.n_do_step_calls, 2 * report.counters.n_step_attempts);
    assert_eq!(report.counters.n_rollbacks, report.counters.n_error_test_failures);
    // At the attempts 4, 16, 64, …, four passes over the loop show how much they contract.
    assert_eq!(report.counters.n_trial_calls, 2 * 4 * u64::from(report.counters.n_step_attempts.ilog(4)));
    let steps = report.counters.n_steps;
    let (report, _) = run(&systems::forward_only().input_degree(1).estimator("predictor-corrector").local_tolerance(1e-4));
    assert_eq!(report.counters.n_do_step_calls, 2 * report.counters.n_steps);
    assert_eq!(report.counters.n_rollbacks, 0);
    assert!(report.counters.n_steps.abs_diff(steps) < steps / 4, "{} {steps}", report.counters.n_steps);
}

#[test]
fn steps_that_cannot_be_repeated_are_kept_and_told() {
    let system = systems::forward_only().input_degree(1).estimator("predictor-corrector").local_tolerance(1e-2);
    let (report, results) = run(&system);
    let failures = report.counters.n_error_test_failures;
    assert!(failures > 0 && report.largest_error_estimate.unwrap() > 1.0);
    let told: Vec<_> = report.warnings.iter().filter(|warning| warning.text.contains("failed the error test")).collect();
    assert_eq!(told.len(), 1, "{:?}", report.warnings);
    assert!(told[0].text.contains(&format!("{failures} of {}", report.counters.n_steps)), "{}", told[0].text);
    assert!(told[0].text.contains("`prey`") && told[0].text.contains("rolled back"), "{}", told[0].text);
    let exact = Table::predator_prey().at(100.0);
    let error = (results.real("prey.x").unwrap().last().unwrap() / exact[0] - 1.0).abs();
    assert!(error < 0.2, "{error}");
}

/// Where stale outputs jump after every change of the step, smaller steps do not help: the run goes on and says so.
#[test]
fn jumps_do_not_stop_the_predictor_corrector() {
    let system = masses().input_degree(1).feedthrough_outputs(FeedthroughOutputs::Stale).estimator("predictor-corrector");
    let (report, _) = run(&system.local_tolerance(1e-3));
    assert!(report.warnings.iter().any(|warning| warning.text.contains("jump")), "{:?}", report.warnings);
}

/// Counts rejected steps by the output that decided.
#[derive(Default)]
struct Explained(Vec<String>);

impl Observer for Explained {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::StepRejected { reason, variable, .. } = notification {
            self.0.push(format!("{} {reason}", variable.unwrap()));
        }
    }
}

#[test]
fn rejected_steps_are_explained() {
    for estimator in ESTIMATORS {
        let (mut explained, mut steps) = (Explained::default(), StepSizes::new());
        let system = predator_prey().input_degree(1).estimator(estimator).local_tolerance(2e-2);
        let report = system.build().unwrap().run(&mut [&mut explained, &mut steps]).unwrap();
        assert!(report.counters.n_error_test_failures > 0, "{estimator}");
        assert_eq!(explained.0.len() as u64, report.counters.n_error_test_failures);
        for (text, rejected) in explained.0.iter().zip(&steps.rejected) {
            assert!(text.starts_with("prey.x") || text.starts_with("predator.y"), "{text}");
            assert!(text.contains(estimator) && text.contains("times the tolerance"), "{text}");
            assert_eq!(rejected.estimator(), Some(estimator));
            assert!(rejected.value().unwrap() > 1.0 && rejected.to_string().contains(rejected.variable.as_ref().unwrap()));
        }
    }
}

/// The product of two matrices.
fn product(a: [[f64; 4]; 4], b: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum()))
}

/// `exp(a t)` by a Taylor series of a small part and squaring.
fn exponential(a: [[f64; 4]; 4], t: f64) -> [[f64; 4]; 4] {
    const SQUARINGS: i32 = 14;
    let part = a.map(|row| row.map(|x| x * t * 0.5_f64.powi(SQUARINGS)));
    let unit: [[f64; 4]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    let horner = |sum, n: i32| {
        let next = product(part, sum);
        std::array::from_fn(|i| std::array::from_fn(|j| unit[i][j] + next[i][j] / f64::from(n)))
    };
    let taylor = (1..=12).rev().fold(unit, horner);
    (0..SQUARINGS).fold(taylor, |power, _| product(power, power))
}

/// Positions and velocities of chassis and wheel.
fn quarter_car(t: f64) -> [f64; 4] {
    let (k, d, tire) = (15_000.0, 1_000.0, 150_000.0);
    let chassis = [-k, -d, k, d].map(|x| x / 400.0);
    let wheel = [k, d, -k - tire, -d].map(|x| x / 40.0);
    let flow = exponential([[0.0, 1.0, 0.0, 0.0], chassis, [0.0, 0.0, 0.0, 1.0], wheel], t);
    // Rest is at 0.1 m, from where both masses start 0.1 m below.
    let moved = flow.map(|row| -0.1 * (row[0] + row[2]));
    [moved[0] + 0.1, moved[1], moved[2] + 0.1, moved[3]]
}

#[test]
fn the_quarter_car_under_local_control() {
    let (time, exact) = known::QUARTER_CAR.states[2];
    assert!(quarter_car(time).iter().zip(exact).all(|(got, exact)| (got - exact).abs() < 1e-11), "{:?}", quarter_car(time));
    let system = systems::quarter_car_displacement().sweep("gauss-seidel").order(&["chassis", "wheel"]).input_degree(2);
    let mut system = system.input_delivery(InputDelivery::Derivatives).output_derivatives(false).local_tolerance(5e-5);
    system.description_mut().experiment.first_step = Some(1e-4.into());
    let (report, results) = run(&system);
    let states = known::QUARTER_CAR.variables.map(|variable| results.real(variable).unwrap());
    let errors = results.time().iter().enumerate().map(|(row, time)| {
        let exact = quarter_car(*time);
        (0..4).map(|k| (states[k][row] - exact[k]).powi(2)).sum::<f64>().sqrt()
    });
    let mean = errors.sum::<f64>() / results.time().len() as f64;
    let (halves, rejected) = (2 * report.counters.n_steps, report.counters.n_error_test_failures);
    assert!(mean <= 3.2e-4 && halves <= 210 && rejected <= 25, "{mean:e}, {halves} half steps, {rejected} rejected");
}

#[test]
fn what_does_not_go_together_is_refused_with_what_does() {
    let mut held = predator_prey().input_degree(1).estimator("embedded").local_tolerance(1e-4);
    held.description_mut().connections[0].sources[0].degree = Some(0.into());
    let refused = |system: System| system.build().err().unwrap().to_string();
    let rows = [
        (systems::forward_only().local_tolerance(1e-4), ["step-doubling", "canGetAndSetFMUstate", "predictor-corrector"]),
        (
            systems::forward_only().input_degree(1).estimator("embedded").local_tolerance(1e-4),
            ["embedded", "`prey`", "predictor-corrector"],
        ),
        (predator_prey().sweep("symmetric").estimator("embedded").local_tolerance(1e-4), ["embedded", "held", "step-doubling"]),
        (predator_prey().input_degree(0).estimator("embedded").local_tolerance(1e-4), ["embedded", "held", "input-degree = 1"]),
        (held, ["embedded", "degree = 0", "degree = 1"]),
        (predator_prey().estimator("milne").local_tolerance(1e-4), ["unknown estimator", "milne", ""]),
        (predator_prey().controller("h212").local_tolerance(1e-4), ["unknown controller", "h212", "h211"]),
        (predator_prey().step(0.1).estimator("embedded"), ["estimator", "fixed `step`", "local-tolerance"]),
    ];
    for (system, parts) in rows {
        let text = refused(system);
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
    // What is said last counts.
    let simulation = predator_prey().estimator("embedded").step(0.1).build().unwrap();
    let [warning] = simulation.warnings() else { panic!("{:?}", simulation.warnings()) };
    assert!(
        warning.to_string().contains("`step` replaces the step-size settings of the system: Lotka ignores `estimator`"),
        "{warning}"
    );
}

/// Means lose what the degree promises; the estimator would not see it.
#[test]
fn estimates_smaller_than_errors_are_reported() {
    let system = predator_prey().input_degree(3).input_delivery(InputDelivery::Mean).estimator("predictor-corrector");
    let (report, _) = run(&system.local_tolerance(1e-3));
    assert!(
        report.warnings.iter().any(|warning| warning.text.contains("errors of small steps are underestimated")),
        "{:?}",
        report.warnings
    );
}

/// Two masses in a row, each with the spring and the damper (both `stiffness`) between them.
fn stiffly_coupled(stiffness: f64) -> System {
    let both = ["chassis", "wheel"].into_iter().flat_map(|instance| ["k_other", "d_other"].map(|name| (instance, name)));
    let system = both.fold(systems::quarter_car_displacement(), |system, (instance, name)| {
        system.start_value(&format!("{instance}.{name}"), stiffness)
    });
    [("chassis", 1.0), ("wheel", 2.0)].into_iter().fold(system, |system, (instance, mass)| {
        ["m", "k", "d"].into_iter().fold(system, |system, name| system.start_value(&format!("{instance}.{name}"), mass))
    })
}

fn warns_of_far_results(system: &System) -> bool {
    let (report, _) = run(system);
    report.warnings.iter().any(|warning| warning.code == Code::BeyondLocalTolerance)
}

#[test]
fn loops_whose_values_do_not_suit_each_other_are_reported() {
    // The mode between the masses decays within 0.1 to 1 ms; steps are longer, and both masses hold the place of the other one.
    for (stiffness, sweep) in [(1e4, "gauss-seidel"), (1e3, "gauss-seidel"), (1e4, "jacobi")] {
        let system = stiffly_coupled(stiffness).sweep(sweep).local_tolerance(1e-4);
        assert!(warns_of_far_results(&system), "{stiffness} {sweep}");
        assert!(
            !warns_of_far_results(&system.stop(0.5).iterations(20, None).acceleration("newton")),
            "{stiffness} {sweep}, iterated"
        );
    }
    for system in [species().0, systems::van_der_pol(), systems::quarter_car_displacement(), systems::two_mass()] {
        for tolerance in [1e-3, 1e-6] {
            assert!(!warns_of_far_results(&system.clone().local_tolerance(tolerance)), "{system:?}");
        }
    }
}
