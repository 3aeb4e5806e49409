//! Units, orchestrators, algebraic loops.

use lotka::{FeedthroughOutputs, InputDelivery, Memory, StepSizes, System};
use models::Mass;
use tests::{
    joined,
    systems::{
        self,
        units::{Affine, Cautious, Integrator, Listener, Mirror, Square},
    },
};

use super::run;

const H: f64 = 0.125;

/// `y = t²`, and an instance that keeps what it is told of it, for ten steps.
fn told() -> System {
    System::new()
        .instance_of("source", &joined::<Square>())
        .instance_of("listener", &joined::<Listener>())
        .connect("listener.u", "source.y")
        .step(H)
        .stop(10.0 * H)
}

/// What the listener was told in each step, at its beginning and at its end.
fn heard(system: System) -> Vec<(f64, f64)> {
    let (_, results) = run(&system);
    let values = |name: &str| results.real(name).unwrap()[1..].to_vec();
    values("listener.begin").into_iter().zip(values("listener.end")).collect()
}

/// Time squared at a communication point.
fn square(n: i32) -> f64 {
    (f64::from(n) * H).powi(2)
}

fn assert_heard(system: System, from_step: i32, expected: impl Fn(i32) -> (f64, f64)) {
    for (n, (begin, end)) in (0..).zip(heard(system)).filter(|(n, _)| *n >= from_step) {
        let wanted = expected(n);
        assert!(
            (begin - wanted.0).abs() < 1e-12 && (end - wanted.1).abs() < 1e-12,
            "step {n}: {begin}, {end} and not {wanted:?}"
        );
    }
}

#[test]
fn delayed_units_go_by_what_was() {
    assert_heard(told().sweep("jacobi"), 0, |n| (square(n), square(n)));
    assert_heard(told().sweep("gauss-seidel").order(&["listener", "source"]), 0, |n| (square(n), square(n)));
}

#[test]
fn reactive_units_go_by_what_comes() {
    assert_heard(told().sweep("gauss-seidel"), 0, |n| (square(n + 1), square(n + 1)));
}

#[test]
fn inputs_are_held_extrapolated_or_interpolated() {
    let extrapolated = |degree| told().sweep("jacobi").input_degree(degree).output_derivatives(false);
    assert_heard(extrapolated(1), 1, |n| (square(n), 2.0 * square(n) - square(n - 1)));
    // A parabola is told exactly with degree 2.
    assert_heard(extrapolated(2), 2, |n| (square(n), square(n + 1)));
    // Interpolated inputs have no jumps: a step begins with what the one before ended with.
    assert_heard(told().sweep("gauss-seidel").input_degree(1), 0, |n| (square(n), square(n + 1)));
    let mean = told().sweep("gauss-seidel").input_degree(1).input_delivery(InputDelivery::Mean);
    assert_heard(mean, 0, |n| (0.5 * (square(n) + square(n + 1)), 0.5 * (square(n) + square(n + 1))));
}

/// One connection is extrapolated, one is held.
#[test]
fn each_connection_can_have_its_context() {
    let mut system =
        told().instance_of("other", &joined::<Listener>()).connect("other.u", "source.y").sweep("jacobi").input_degree(1);
    system.description_mut().connections[1].sources[0].degree = Some(0.into());
    let (_, results) = run(&system);
    let [extrapolated, held] = ["listener.end", "other.end"].map(|name| results.real(name).unwrap()[5]);
    assert_eq!((extrapolated, held), (2.0 * square(4) - square(3), square(4)));
}

/// An output that follows its input: what is exchanged after a step belongs to the input there, or, left stale, to what was told.
#[test]
fn mealy_outputs_follow_inputs_and_moore_outputs_do_not() {
    let mirror = |policy| {
        let system = System::new().instance_of("source", &joined::<Square>()).instance_of("mirror", &joined::<Mirror>());
        let system = system.connect("mirror.u", "source.y").sweep("jacobi").input_degree(0).feedthrough_outputs(policy);
        run(&system.step(H).stop(10.0 * H)).1
    };
    let [fresh, stale] = [FeedthroughOutputs::ReRead, FeedthroughOutputs::Stale].map(mirror);
    for n in 1..=10 {
        let values = |results: &Memory| ["mirror.y", "mirror.steps"].map(|name| results.real(name).unwrap()[n as usize]);
        assert_eq!(values(&fresh), [square(n) + f64::from(n), f64::from(n)]);
        assert_eq!(values(&stale), [square(n - 1) + f64::from(n), f64::from(n)]);
    }
}

/// dx/dt = y, dy/dt = -x from (1, 0): an integrator each.
fn circle() -> System {
    System::new()
        .instance_of("x", &joined::<Integrator>())
        .instance_of("y", &joined::<Integrator>())
        .start_value("x.x", 1.0)
        .start_value("y.gain", -1.0)
        .connect("x.u", "y.x")
        .connect("y.u", "x.x")
        .step(H)
        .stop(10.0 * H)
}

fn assert_circle(system: &System, step: impl Fn([f64; 2]) -> [f64; 2]) {
    let (_, results) = run(system);
    let mut expected = [1.0, 0.0];
    for n in 1..=10 {
        expected = step(expected);
        let got = ["x.x", "y.x"].map(|name| results.real(name).unwrap()[n]);
        assert!(
            got.iter().zip(expected).all(|(got, expected)| (got - expected).abs() < 1e-10),
            "step {n}: {got:?} and not {expected:?}"
        );
    }
}

#[test]
fn a_jacobi_orchestrator_of_delayed_units_is_the_explicit_euler_method() {
    assert_circle(&circle().sweep("jacobi"), |[x, y]| [x + H * y, y - H * x]);
}

#[test]
fn a_gauss_seidel_orchestrator_is_the_symplectic_euler_method() {
    assert_circle(&circle().sweep("gauss-seidel"), |[x, y]| [x + H * y, y - H * (x + H * y)]);
}

/// A loop over state and inputs: each unit reacts to what the other one will be.
#[test]
fn strong_coupling_of_reactive_units_is_the_implicit_euler_method() {
    for (sweep, acceleration) in [("jacobi", "none"), ("gauss-seidel", "none"), ("jacobi", "anderson"), ("jacobi", "newton")] {
        let system = circle().sweep(sweep).iterations(100, Some(1e-13)).acceleration(acceleration);
        assert_circle(&system, |[x, y]| [(x + H * y) / (1.0 + H * H), (y - H * x) / (1.0 + H * H)]);
    }
}

/// The same with lines between both ends of a step, which are iterated until they fit: the trapezoidal rule.
#[test]
fn waveform_iteration_of_lines_is_the_trapezoidal_rule() {
    let system = circle().sweep("jacobi").input_degree(1).iterations(100, Some(1e-13));
    let half = 0.5 * H;
    assert_circle(&system, |[x, y]| {
        let d = 1.0 + half * half;
        [((1.0 - half * half) * x + H * y) / d, ((1.0 - half * half) * y - H * x) / d]
    });
}

/// x = 0.5 y + 3, y = -0.25 x + t²: solved together at every communication point.
#[test]
fn a_loop_over_inputs_and_outputs_is_solved_at_every_point() {
    let affine = joined::<Affine>();
    let system = System::new()
        .instance_of("source", &joined::<Square>())
        .instance_of("x", &affine)
        .instance_of("y", &affine)
        .connect("x.u", "y.y")
        .connect("y.u", "x.y")
        .connect("y.w", "source.y")
        .start_value("x.a", 0.5)
        .start_value("x.c", 3.0)
        .start_value("y.a", -0.25)
        .start_value("y.b", 1.0)
        .step(H)
        .stop(10.0 * H);
    for acceleration in ["none", "aitken", "anderson", "newton"] {
        let (_, results) = run(&system.clone().iterations(100, Some(1e-12)).acceleration(acceleration));
        for n in 0..=10 {
            let [x, y] = ["x.y", "y.y"].map(|name| results.real(name).unwrap()[n as usize]);
            let exact = (3.0 + 0.5 * square(n)) / 1.125;
            assert!((x - exact).abs() < 1e-10, "{acceleration}, point {n}: {x} and not {exact}");
            assert!((y - (square(n) - 0.25 * x)).abs() < 1e-10, "{acceleration}, point {n}: {y}");
        }
    }
}

/// Two masses that move as one: the force between them is such that their velocities agree. It is the output of an equation that
/// is satisfied where the condition is, `f = f + 10 (v2 - v1)`, found by Newton's method with differences by rollback.
#[test]
fn a_coupling_by_a_condition_is_solved_by_newtons_method() {
    let mass = joined::<Mass>();
    let mut system = System::new()
        .instance_of("left", &mass)
        .instance_of("right", &mass)
        .instance_of("joint", &joined::<Affine>())
        .connect("left.f", "joint.y")
        .connect_sum("right.f", &[("joint.y", -1.0)])
        .connect("joint.u", "joint.y")
        .connect_sum("joint.w", &[("right.v", 10.0), ("left.v", -10.0)])
        .start_value("joint.a", 1.0)
        .start_value("joint.b", 1.0)
        .stop(2.0);
    for (variable, value) in [("left.d", 0.0), ("left.x", 0.5), ("right.d", 0.0), ("right.x", 0.5), ("right.k", 20.0)] {
        system = system.start_value(variable, value);
    }
    let system = system.sweep("gauss-seidel").iterations(20, Some(1e-11)).acceleration("newton");
    let error = |h: f64| {
        let (_, results) = run(&system.clone().step(h));
        let last = |name: &str| *results.real(name).unwrap().last().unwrap();
        assert!((last("left.v") - last("right.v")).abs() < 1e-8, "{} {}", last("left.v"), last("right.v"));
        // Together they are 2 kg on 30 N/m.
        (last("left.x") - 0.5 * (15.0_f64.sqrt() * 2.0).cos()).abs()
    };
    let [coarse, fine] = [0.02, 0.01].map(error);
    assert!(coarse < 0.05 && fine < 0.6 * coarse, "{coarse} {fine}");
}

#[test]
fn units_decide_which_steps_they_make() {
    let system = System::new().instance_of("cautious", &joined::<Cautious>()).stop(1.0);
    let mut steps = StepSizes::new();
    let report = system.clone().local_tolerance(1e-3).build().unwrap().run(&mut [&mut steps]).unwrap();
    assert!(steps.step.iter().all(|step| *step <= 0.01) && report.counters.n_discards > 0, "{:?}", report.counters);
    let failure = system.step(0.1).build().unwrap().run(&mut []).unwrap_err();
    assert!(failure.to_string().contains("no step is longer than 0.01 s"), "{failure}");
}

/// What one more iteration leaves of an error is known before the run, and so is the step from which on a coupling grows by
/// itself.
#[test]
fn the_stability_of_a_coupling_is_known_before_the_run() {
    let coupling = systems::stiff_pair().tolerance(1e-3).build().unwrap().analyze_coupling(Some(0.1)).unwrap();
    assert!(coupling.contraction.is_some_and(|contraction| contraction.jacobi > contraction.gauss_seidel));
    assert_eq!(coupling.critical_steps.len(), 3);
}
