//! When `auto` changes between its two methods.

use super::{
    known::Circle,
    over,
    references::{robertson, van_der_pol, van_der_pol_1e6},
    tolerance,
};
use crate::{
    AbsoluteTolerance, Problem, RightHandSide, Settings, Time, Work,
    auto::Auto,
    controlled::{advance, start},
};

/// Times at which `auto` changes the method on the way from 0 to `length` seconds, and what that costs.
fn changes(f: &mut dyn RightHandSide, x: &[f64], length: f64, settings: Settings) -> (Vec<f64>, Work) {
    let (mut auto, mut work) = (Auto::new(x.len()), Work::default());
    let mut problem = Problem::new(f, 0.0, length, settings, &mut work);
    let mut control = start(&mut auto, &mut problem, x).unwrap();
    let (mut x, mut next, mut changes) = (x.to_vec(), x.to_vec(), Vec::new());
    while !control.is_done() {
        let was_stiff = auto.is_stiff;
        advance(&mut auto, &mut control, &mut problem, &mut x, &mut next).unwrap();
        if auto.is_stiff != was_stiff {
            changes.push(control.tau);
        }
    }
    (changes, work)
}

/// Two fast changes, at 0.81 s and 1.61 s, separate three stiff arcs.
#[test]
fn a_relaxation_oscillator_is_stiff_on_its_arcs_only() {
    for relative in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (changes, _) = changes(&mut van_der_pol_1e6, &[2.0, 0.0], 2.0, tolerance(relative));
        let back = |time: &f64| (0.8..0.82).contains(time) || (1.61..1.63).contains(time);
        assert!(changes.len() >= 5 && changes[0] < 1e-3 && changes[1..].iter().all(back), "{relative}: {changes:?}");
    }
}

#[test]
fn a_reaction_stays_stiff() {
    for relative in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (changes, _) = changes(&mut robertson, &[1.0, 0.0, 0.0], 1e11, tolerance(relative));
        assert!(changes.len() == 1 && changes[0] < 0.1, "{relative}: {changes:?}");
    }
}

/// Robertson's reaction with the second state, which stays below 4e-5, in a unit of its own.
#[test]
fn the_unit_of_a_state_does_not_matter() {
    let first_change = |unit: f64| {
        let mut f = |time: Time, x: &[f64], dx: &mut [f64]| {
            let outcome = robertson(time, &[x[0], x[1] * unit, x[2]], dx);
            dx[1] /= unit;
            outcome
        };
        let absolute = [1e-11, 1e-15 / unit, 1e-11];
        let settings = Settings { absolute_tolerance: AbsoluteTolerance::Each(&absolute), ..tolerance(1e-8) };
        changes(&mut f, &[1.0, 0.0, 0.0], 1e3, settings).0[0]
    };
    let expected = first_change(1.0);
    for unit in [1e-9, 1e-3, 1e6] {
        assert!((first_change(unit) / expected - 1.0).abs() < 1e-6, "{unit}: {}, expected {expected}", first_change(unit));
    }
}

#[test]
fn equations_that_are_not_stiff_stay_so_and_trials_are_few() {
    for relative in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10] {
        let (changes, work) = changes(&mut Circle, &[1.0, 0.0], 2000.0, tolerance(relative));
        assert!(changes.is_empty(), "{relative}: {changes:?}");
        assert!(f64::from(work.n_jacobians) < 3.0 + 0.005 * f64::from(work.n_internal_steps), "{relative}: {work:?}");
    }
}

/// Van der Pol's oscillator over about 20 periods: not stiff, stiff at times, and stiff but for fast changes.
#[test]
fn it_costs_hardly_more_than_the_better_method_and_often_less() {
    for (mu, length) in [(1.0, 200.0), (10.0, 200.0), (100.0, 2000.0)] {
        let mut oscillator = |_: Time, x: &[f64], dx: &mut [f64]| van_der_pol(mu, x, dx);
        for relative in [1e-4, 1e-6, 1e-8] {
            let mut evaluations = |name| {
                let work = over(name, &mut oscillator, [0.0, length], 1, tolerance(relative), &mut [2.0, 0.0]).unwrap();
                f64::from(work.n_evaluations)
            };
            let [dopri5, radau5, auto] = ["dopri5", "radau5", "auto"].map(&mut evaluations);
            let largest = if mu > 1.0 { 0.9 } else { 1.01 };
            assert!(auto < largest * dopri5.min(radau5), "μ = {mu}, {relative}: {dopri5} {radau5} {auto}");
        }
    }
}
