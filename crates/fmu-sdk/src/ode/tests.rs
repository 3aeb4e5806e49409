//! Results, counts and refusals of integrators in models. Orders and costs are tested in the crate `integrator`.

use super::{Integration, Ode, Time};
use crate::{Input, RefusalKind, Step};

/// x' = y, y' = -x.
struct Circle;

impl Ode for Circle {
    fn derivatives(&self, _: Time, x: &[f64], dx: &mut [f64]) {
        (dx[0], dx[1]) = (x[1], -x[0]);
    }
}

/// x' = u x with a cubic input: x = x0 exp(∫ u dt).
struct Growth {
    u: Input,
}

impl Ode for Growth {
    fn derivatives(&self, time: Time, x: &[f64], dx: &mut [f64]) {
        dx[0] = self.u.value(time.tau) * x[0];
    }
}

/// x' = x², which is infinite at t = 1 from x = 1.
struct Explosion;

impl Ode for Explosion {
    fn derivatives(&self, _: Time, x: &[f64], dx: &mut [f64]) {
        dx[0] = x[0] * x[0];
    }
}

#[test]
fn every_integrator_follows_an_input_over_the_step() {
    let growth = Growth { u: Input::with_derivatives(0.3, [0.2, 0.1, 0.05]) };
    let exact = growth.u.integral(2.0).exp();
    for name in Integration::names() {
        let (mut x, mut integration) = ([1.0], Integration::new(name, 1e-3));
        integration.step(&growth, &Step { t: 10.0, h: 2.0, tolerance: Some(1e-6) }, &mut x).unwrap();
        let largest = if matches!(name, "euler" | "tr-bdf2") { 1e-2 } else { 1e-4 };
        assert!((x[0] - exact).abs() < largest, "{name}: {x:?}, expected {exact}");
        assert!(integration.work().n_internal_steps > 1, "{name}");
    }
}

#[test]
fn the_tolerance_is_that_of_the_experiment_or_1e_6() {
    let evaluations = |tolerance| {
        let mut integration = Integration::new("rkf45", 1.0);
        integration.step(&Circle, &Step { t: 0.0, h: 2.0, tolerance }, &mut [1.0, 0.0]).unwrap();
        integration.work().n_evaluations
    };
    assert_eq!(evaluations(None), evaluations(Some(1e-6)));
    assert!(evaluations(Some(1e-9)) > evaluations(None));
}

#[test]
fn what_has_no_solution_is_discarded() {
    for name in Integration::names() {
        let step = Step { t: 3.0, h: 2.0, tolerance: None };
        let refusal = Integration::new(name, 0.01).step(&Explosion, &step, &mut [1.0]).unwrap_err();
        let RefusalKind::Discard { last_successful_time, terminate: false } = refusal.kind() else { panic!("{name}: {refusal}") };
        if let Some(time) = last_successful_time {
            assert!((3.9..4.01).contains(&time), "{name}: {time}");
        }
        assert!(refusal.to_string().contains(name) && refusal.to_string().contains("smaller step"), "{refusal}");
    }
}

#[test]
fn a_start_that_is_not_a_number_is_discarded() {
    for name in Integration::names() {
        let step = Step { t: 0.0, h: 0.1, tolerance: None };
        let refusal = Integration::new(name, 0.1).step(&Circle, &step, &mut [f64::NAN, 1.0]).unwrap_err();
        let expected = RefusalKind::Discard { last_successful_time: None, terminate: false };
        assert_eq!(refusal.kind(), expected, "{name}: {refusal}");
    }
}

#[test]
fn settings_that_make_no_sense_are_refused_at_the_start() {
    let unknown = Integration::new("rk5", 0.1).start().unwrap_err();
    assert_eq!(unknown.to_string(), "unknown integrator `rk5`; did you mean `rk4`?");
    for internal_step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            Integration::new("rk4", internal_step).start().unwrap_err().to_string().contains("positive, finite internal_step")
        );
    }
}

#[test]
fn without_states_there_is_nothing_to_do() {
    let mut integration = Integration::new("esdirk34", 0.1);
    integration.step(&Circle, &Step { t: 0.0, h: 1.0, tolerance: None }, &mut []).unwrap();
    assert_eq!(integration.work().n_evaluations, 0);
}
