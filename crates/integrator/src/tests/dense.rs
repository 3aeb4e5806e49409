//! Dense output.

use super::{difference, equal::within, known, known::Known, slope, tolerance};
use crate::{Method, Problem, Steps, Work, method::Kind};

/// Orders of the dense output, as the documentation has them.
const ORDERS: &[(&str, f64)] = &[("tr-bdf2", 2.0), ("esdirk34", 3.0), ("dopri5", 4.0), ("radau5", 3.0), ("auto", 4.0)];

/// Largest error within the first step.
fn error(method: &Method, problem: &mut dyn Known, h: f64) -> f64 {
    let Kind::Dense(new) = method.kind else { panic!("{method:?} has no dense output") };
    let parts: Vec<_> = (1..20).map(|i| f64::from(i) / 20.0).collect();
    let states = within(new, problem, h, &parts);
    states.iter().zip(&parts).map(|(x, part)| difference(x, &problem.exact(part * h))).fold(0.0, f64::max)
}

#[test]
fn every_method_with_dense_output_has_a_row() {
    let dense = Method::all().filter(|method| matches!(method.kind, Kind::Dense(_))).map(|method| method.name());
    assert!(dense.eq(ORDERS.iter().map(|(name, _)| *name)));
}

#[test]
fn errors_within_a_step_shrink_with_the_order() {
    for (name, order) in ORDERS {
        let method = Method::named(name).unwrap();
        // Newton's iterations leave errors of their own.
        let scale = if matches!(*name, "rkf45" | "dopri5" | "auto") { 1.0 } else { 100.0 };
        for (of, mut problem) in known::all() {
            let points = (4..24).map(|k| 0.5_f64.sqrt().powi(k)).map(|h| (h, error(&method, &mut *problem, h)));
            let points: Vec<_> = points.take_while(|(_, error)| *error > 1e-11 * scale).collect();
            let slope = slope(points.last_chunk::<5>().unwrap_or_else(|| panic!("{name}, {of}: {points:?}")));
            assert!((slope - order - 1.0).abs() <= 0.2, "{name}, {of}: {slope}, expected {}", order + 1.0);
        }
    }
}

/// The internal steps of half a second.
fn each(name: &str, mut look: impl FnMut(&Steps)) {
    let (mut cycle, mut work) = (known::LimitCycle, Work::default());
    let start = cycle.exact(0.0);
    let mut problem = Problem::new(&mut cycle, 10.0, 0.5, tolerance(1e-7), &mut work);
    let mut steps = Method::named(name).unwrap().steps(&mut problem, &start).unwrap().unwrap();
    while !steps.is_done() {
        steps.advance(&mut problem).unwrap();
        look(&steps);
    }
}

#[test]
fn internal_steps_join_and_their_ends_are_exact() {
    for (name, _) in ORDERS {
        let (mut last, mut n) = ((0.0, vec![0.5, 0.0]), 0);
        each(name, |steps| {
            let ([from, to], mut x) = (steps.span(), vec![0.0; 2]);
            assert_eq!(from, last.0, "{name}");
            for (tau, end) in [(from - 1.0, &last.1[..]), (from, &last.1), (to, steps.states()), (to + 1.0, steps.states())] {
                steps.interpolate(tau, &mut x);
                assert_eq!(x, end, "{name} at {tau}");
            }
            let near = 1e-9 * (to - from);
            for (tau, end) in [(from + near, &last.1[..]), (to - near, steps.states())] {
                steps.interpolate(tau, &mut x);
                assert!(difference(&x, end) < 1e-9, "{name} at {tau}: {x:?} {end:?}");
            }
            steps.interpolate(0.5 * (from + to), &mut x);
            assert!(difference(&x, &known::LimitCycle.exact(0.5 * (from + to))) < 1e-5, "{name}");
            (last, n) = ((to, steps.states().to_vec()), n + 1);
        });
        assert!(n > 2, "{name}");
    }
}

#[test]
fn the_next_step_is_that_of_the_tolerance_not_of_the_end() {
    for (name, _) in ORDERS {
        let mut sizes = Vec::new();
        let mut next = 0.0;
        each(name, |steps| {
            let [from, to] = steps.span();
            sizes.push(to - from);
            next = steps.next_step();
        });
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        assert!(next > 0.3 * largest, "{name}: {next} {sizes:?}");
    }
}
