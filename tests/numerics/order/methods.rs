//! Order of convergence of every sensible combination of sweep, input signals, delivery, freshness of outputs and iteration.

use std::fmt::Write;

use lotka::{
    FeedthroughOutputs::{self, Auto, Derivative, ReRead, Stale},
    InputDelivery::{self, Derivatives, Mean},
    System, observed_order,
};

use crate::order::cases::{Case, PREDATOR_PREY, QUARTER_CAR_DISPLACEMENT, QUARTER_CAR_FORCE, TWO_MASS, VAN_DER_POL};

/// Input signals of a degree, and the order of the methods that have them.
struct Row {
    degree: u32,
    delivery: InputDelivery,
    order: f64,
    /// The order where outputs that follow inputs without delay stay as they were computed with the inputs of the step.
    order_if_stale: f64,
}

/// The mean has order 2 at most, and stale outputs make it order 1. FMUs that get derivatives know the end of their inputs, so
/// that no output is stale.
const ROWS: [Row; 7] = [
    Row { degree: 0, delivery: Mean, order: 1.0, order_if_stale: 1.0 },
    Row { degree: 1, delivery: Mean, order: 2.0, order_if_stale: 1.0 },
    Row { degree: 1, delivery: Derivatives, order: 2.0, order_if_stale: 2.0 },
    Row { degree: 2, delivery: Mean, order: 2.0, order_if_stale: 1.0 },
    Row { degree: 2, delivery: Derivatives, order: 3.0, order_if_stale: 3.0 },
    Row { degree: 3, delivery: Mean, order: 2.0, order_if_stale: 1.0 },
    Row { degree: 3, delivery: Derivatives, order: 4.0, order_if_stale: 4.0 },
];

/// Orders are found within this.
const ACCURACY: f64 = 0.2;

/// As far as doubles go; errors down to 1e-10 are not disturbed.
fn iterated_to_the_end(system: System) -> System {
    system.iterations(200, Some(1e-13))
}

/// Where inputs enter nonlinearly, error terms of means of a higher degree can cancel: predator–prey, which is affine in its
/// logarithms, shows up to order 4.
fn is_right(case: &Case, row: &Row, order: f64, observed: f64) -> bool {
    let may_show_more = !case.is_linear && row.degree >= 2 && row.delivery == Mean;
    observed > order - ACCURACY && (may_show_more || observed < order + ACCURACY)
}

/// All methods that iterate, or all that do not, with each of these ways to make outputs fresh, on one system.
fn check(case: &Case, policies: &[FeedthroughOutputs], iterate: Option<fn(System) -> System>) {
    let mut failures = String::new();
    for row in &ROWS {
        for sweep in ["jacobi", "gauss-seidel"] {
            for derivatives in [false, true] {
                for &policy in policies {
                    let order = if policy == Stale { row.order_if_stale } else { row.order };
                    let (system, largest) = case.start(order);
                    let system = system.sweep(sweep).input_degree(row.degree).input_delivery(row.delivery);
                    let system = system.output_derivatives(derivatives).feedthrough_outputs(policy);
                    let system = iterate.map_or(system.clone(), |iterate| iterate(system));
                    let observed = observed_order(order, largest, |h| case.error(&system.clone().step(h)));
                    if !observed.as_ref().is_ok_and(|observed| is_right(case, row, order, *observed)) {
                        let (degree, delivery) = (row.degree, row.delivery);
                        let method = format!("{sweep}, degree {degree}, {delivery:?}, {policy:?}, derivatives {derivatives}");
                        writeln!(failures, "{method}: {observed:?}, not {order}").unwrap();
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

const ANY: &[FeedthroughOutputs] = &[Auto];
const ALL: &[FeedthroughOutputs] = &[Stale, ReRead, Derivative];

#[test]
fn predator_prey() {
    check(&PREDATOR_PREY, ANY, None);
}

#[test]
fn predator_prey_iterated() {
    check(&PREDATOR_PREY, ANY, Some(iterated_to_the_end));
}

#[test]
fn van_der_pol() {
    check(&VAN_DER_POL, ANY, None);
}

#[test]
fn van_der_pol_iterated() {
    check(&VAN_DER_POL, ANY, Some(iterated_to_the_end));
}

#[test]
fn quarter_car_by_displacements() {
    check(&QUARTER_CAR_DISPLACEMENT, ANY, None);
}

#[test]
fn quarter_car_by_displacements_iterated() {
    check(&QUARTER_CAR_DISPLACEMENT, ANY, Some(iterated_to_the_end));
}

#[test]
fn quarter_car_by_force() {
    check(&QUARTER_CAR_FORCE, ALL, None);
}

#[test]
fn quarter_car_by_force_iterated() {
    check(&QUARTER_CAR_FORCE, ALL, Some(iterated_to_the_end));
}

#[test]
fn two_masses() {
    check(&TWO_MASS, ALL, None);
}

#[test]
fn two_masses_iterated() {
    check(&TWO_MASS, ALL, Some(iterated_to_the_end));
}

#[test]
fn symmetric_sweeps_are_of_order_2_without_feedthrough_and_of_order_1_with_it() {
    let without = [&PREDATOR_PREY, &VAN_DER_POL, &QUARTER_CAR_DISPLACEMENT].map(|case| (case, 2.0, Auto));
    let with = [&QUARTER_CAR_FORCE, &TWO_MASS].map(|case| [Stale, ReRead, Derivative].map(|policy| (case, 1.0, policy)));
    for (case, order, policy) in without.into_iter().chain(with.into_iter().flatten()) {
        let (system, largest) = case.start(order);
        let system = system.sweep("symmetric").feedthrough_outputs(policy);
        let observed = observed_order(order, largest, |h| case.error(&system.clone().step(h))).unwrap();
        assert!((observed - order).abs() < ACCURACY, "{policy:?}: {observed}, not {order}");
    }
}
