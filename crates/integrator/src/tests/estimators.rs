//! Estimates of the local error against the error that they estimate.

use super::{difference, equal::estimate, known, slope};
use crate::Method;

/// Orders of the estimates: one less than the power of the step size by which they shrink.
const ORDERS: &[(&str, f64)] =
    &[("rkf45", 4.0), ("tr-bdf2", 2.0), ("esdirk34", 3.0), ("dopri5", 4.0), ("radau5", 3.0), ("auto", 4.0)];

#[test]
fn every_method_with_step_control_has_a_row() {
    let controlled = Method::all().filter(Method::has_step_control).map(|method| method.name());
    assert!(controlled.eq(ORDERS.iter().map(|(name, _)| *name)));
}

#[test]
fn estimates_shrink_with_their_order() {
    for (name, order) in ORDERS {
        let method = Method::named(name).unwrap();
        // Newton's iterations leave errors of their own.
        let scale = if matches!(*name, "rkf45" | "dopri5" | "auto") { 1.0 } else { 100.0 };
        for (of, mut problem) in known::all() {
            let points = (4..24).map(|k| 0.5_f64.sqrt().powi(k)).map(|h| (h, estimate(&method, &mut *problem, h).0));
            let points: Vec<_> = points.take_while(|(_, error)| *error > 1e-11 * scale).collect();
            let slope = slope(points.last_chunk::<5>().unwrap_or_else(|| panic!("{name}, {of}: {points:?}")));
            assert!((slope - order - 1.0).abs() <= 0.2, "{name}, {of}: {slope}, expected {}", order + 1.0);
        }
    }
}

/// Results of higher order than their estimate have smaller errors; the others have errors of the size of the estimate.
#[test]
fn estimates_are_not_smaller_than_the_error_and_not_much_larger() {
    for (name, _) in ORDERS {
        let method = Method::named(name).unwrap();
        let is_better = matches!(*name, "rkf45" | "dopri5" | "radau5" | "auto");
        for (of, mut problem) in known::all() {
            for h in [0.02, 0.1] {
                let (estimate, x) = estimate(&method, &mut *problem, h);
                let ratio = estimate / difference(&x, &problem.exact(h)).max(1e-13);
                assert!(ratio > 0.3 && (is_better || ratio < 3.0), "{name}, {of}, {h}: {ratio}");
            }
        }
    }
}
