//! Orders of convergence.

use super::{
    difference, equal,
    known::{self, Known},
    over, slope, tolerance,
};
use crate::Method;

/// Orders of the methods, in the order of the registry.
pub(super) const ORDERS: &[(&str, f64)] = &[
    ("euler", 1.0),
    ("modified-euler", 2.0),
    ("midpoint", 2.0),
    ("heun", 2.0),
    ("rk4", 4.0),
    ("adams-bashforth-2", 2.0),
    ("adams-bashforth-3", 3.0),
    ("adams-bashforth-4", 4.0),
    ("milne", 4.0),
    ("rkf45", 5.0),
    ("tr-bdf2", 2.0),
    ("esdirk34", 3.0),
    ("dopri5", 5.0),
    ("radau5", 5.0),
    ("auto", 5.0),
];

const LENGTH: f64 = 2.0;

fn error(method: &Method, problem: &mut dyn Known, n: u32) -> f64 {
    let exact = problem.exact(LENGTH);
    equal::steps(method, problem, LENGTH, n).map_or(f64::INFINITY, |x| difference(&x, &exact))
}

/// Slope over the smallest step sizes with errors below 1e-2 and above 1e-10, or more where Newton's iterations leave errors of
/// their own: four halvings and the steps halfway between.
fn order(method: &Method, problem: &mut dyn Known) -> f64 {
    let least = match method.name() {
        "tr-bdf2" => 1e-7,
        "esdirk34" => 1e-8,
        _ => 1e-10,
    };
    let n_steps = (1..21).flat_map(|k| [1 << k, 3 << (k - 1)]);
    let points = n_steps.map(|n: u32| (LENGTH / f64::from(n), error(method, problem, n)));
    let points: Vec<_> = points.skip_while(|(_, error)| *error > 1e-2).take_while(|(_, error)| *error >= least).collect();
    assert!(points.len() >= 4, "{method:?}: too few errors in range: {points:?}");
    slope(&points[points.len().saturating_sub(9)..])
}

#[test]
fn every_method_has_a_row() {
    assert!(Method::all().map(|method| method.name()).eq(ORDERS.iter().map(|(name, _)| *name)));
}

#[test]
fn errors_of_equal_steps_shrink_with_the_order() {
    for (name, expected) in ORDERS {
        let method = Method::named(name).unwrap();
        for (of, mut problem) in known::all() {
            let order = order(&method, &mut *problem);
            // There the error constants of order 5 are so small that the next order shows.
            let has_small_error = of == "limit cycle" && matches!(*name, "dopri5" | "auto");
            let excess = if has_small_error { 1.0 } else { 0.2 };
            assert!((-0.2..=excess).contains(&(order - expected)), "{name}, {of}: {order}, expected {expected}");
        }
    }
}

/// Error, relative to the largest state, and evaluations under step control.
fn controlled(name: &str, problem: &mut dyn Known, relative: f64) -> (f64, i32) {
    let (mut x, exact) = (problem.exact(0.0), problem.exact(LENGTH));
    let mut right_hand_side = |time, x: &[f64], dx: &mut [f64]| problem.derivatives(time, x, dx);
    let work = over(name, &mut right_hand_side, [10.0, LENGTH], 1, tolerance(relative), &mut x).unwrap();
    (difference(&x, &exact) / exact.iter().fold(0.0, |size, x| x.abs().max(size)), work.n_evaluations)
}

#[test]
fn errors_under_step_control_shrink_with_the_tolerance() {
    for method in Method::all().filter(Method::has_step_control) {
        let name = method.name();
        let mut last = (f64::INFINITY, 0);
        for relative in [1e-3, 1e-5, 1e-7, 1e-9] {
            let all: Vec<_> = known::all().iter_mut().map(|(_, problem)| controlled(name, &mut **problem, relative)).collect();
            let (error, evaluations) = (all.iter().map(|(error, _)| *error).fold(0.0, f64::max), all[0].1);
            assert!(error < 1e3 * relative && error < 0.3 * last.0, "{name} at {relative}: {all:?}");
            assert!(evaluations > last.1, "{name} at {relative}: {all:?}");
            last = (error, evaluations);
        }
    }
}
