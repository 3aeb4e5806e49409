//! What methods cost: counters are their fingerprints.

use super::{difference, known, known::Known, over, tolerance};
use crate::{Method, RightHandSide, Settings};

#[test]
fn evaluations_of_equal_steps_are_counted() {
    let evaluations = |name, n: i32| {
        let settings = Settings { internal_step: 2.0 / f64::from(n), ..Settings::default() };
        let work = over(name, &mut known::Circle, [10.0, 2.0], 1, settings, &mut [20.0, 10.0]).unwrap();
        assert_eq!((work.n_internal_steps, work.n_rejected), (n, 0), "{name}");
        work.n_evaluations
    };
    let expected = [
        ("euler", 10),
        ("modified-euler", 20),
        ("midpoint", 20),
        ("heun", 20),
        ("rk4", 40),
        ("adams-bashforth-2", 4 + 9),
        ("adams-bashforth-3", 8 + 8),
        ("adams-bashforth-4", 12 + 7),
        ("milne", 12 + 21),
    ];
    for (name, expected) in expected {
        assert_eq!(evaluations(name, 10), expected, "{name}");
    }
}

/// Evaluations, internal steps, rejected ones, Jacobian matrices and factorizations on the limit cycle with a tolerance of 1e-6.
#[test]
fn methods_with_step_control_cost_what_they_did() {
    let expected = [
        ("rkf45", [96, 15, 1, 0, 0]),
        ("tr-bdf2", [844, 194, 0, 2, 55]),
        ("esdirk34", [504, 59, 0, 7, 19]),
        ("dopri5", [104, 15, 2, 0, 0]),
        ("radau5", [279, 36, 0, 4, 30]),
        ("auto", [104, 15, 2, 0, 0]),
    ];
    let found = Method::all().filter(Method::has_step_control).map(|method| {
        let (name, mut cycle) = (method.name(), known::LimitCycle);
        let mut x = cycle.exact(0.0);
        let work = over(name, &mut cycle, [10.0, 2.0], 1, tolerance(1e-6), &mut x).unwrap();
        assert!(difference(&x, &cycle.exact(2.0)) < 1e-4, "{name}");
        (name, [work.n_evaluations, work.n_internal_steps, work.n_rejected, work.n_jacobians, work.n_factorizations])
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn multistep_methods_start_anew_with_each_step() {
    for name in ["adams-bashforth-2", "adams-bashforth-3", "adams-bashforth-4", "milne"] {
        let settings = Settings { internal_step: 0.1, ..Settings::default() };
        let after = |name, h, n| {
            let mut x = [1.0, 0.5];
            over(name, &mut known::Circle, [0.0, h], n, settings, &mut x).unwrap();
            x
        };
        assert_eq!(after(name, 0.1, 1), after("rk4", 0.1, 1), "{name}");
        assert_ne!(after(name, 0.1, 10), after(name, 1.0, 1), "{name}");
    }
}

/// A step is a function of its start: it can be taken back and made again.
#[test]
fn equal_steps_have_equal_results() {
    for method in Method::all() {
        let step = |x: &mut [f64]| {
            let settings = Settings { internal_step: 0.05, ..tolerance(1e-5) };
            let f: &mut dyn RightHandSide = &mut known::LimitCycle;
            over(method.name(), f, [10.0, 0.5], 1, settings, x).unwrap()
        };
        let (mut first, mut again) = ([0.5, 0.0], [0.5, 0.0]);
        let work = step(&mut first);
        step(&mut [3.0, 1.0]);
        assert_eq!((step(&mut again), again), (work, first), "{method:?}");
    }
}
