//! Sign changes of event functions on the dense output.

use std::f64::consts::PI;

use super::{known::Circle, tolerance};
use crate::{EvaluationError, Method, Problem, Root, RootSearch, Steps, Time, Work};

const FINE: RootSearch = RootSearch { tolerance: 1e-12, sections: 1 };

type Event = fn(Time, &[f64], &mut [f64]) -> Result<(), EvaluationError>;

/// The first root on sin t, cos t over 4 s from simulation time 10 s, in internal steps of the method.
fn first(name: &str, search: RootSearch, event: Event, signs: &[bool]) -> Option<Root> {
    search_in(name, |steps| search.first(steps, 10.0, &mut { event }, signs).unwrap())
}

fn search_in<T>(name: &str, mut look: impl FnMut(&Steps) -> Option<T>) -> Option<T> {
    let (mut circle, mut work) = (Circle, Work::default());
    let mut problem = Problem::new(&mut circle, 10.0, 4.0, tolerance(1e-9), &mut work);
    let mut steps = Method::named(name).unwrap().steps(&mut problem, &[0.0, 1.0]).unwrap().unwrap();
    while !steps.is_done() {
        steps.advance(&mut problem).unwrap();
        if let Some(found) = look(&steps) {
            return Some(found);
        }
    }
    None
}

const DENSE: [&str; 5] = ["tr-bdf2", "esdirk34", "dopri5", "radau5", "auto"];

#[test]
fn a_root_is_found_within_the_tolerance() {
    for name in DENSE {
        for tolerance in [1e-3, 1e-6, 1e-12] {
            let cosine: Event = |_, x, z| {
                z[0] = x[1];
                Ok(())
            };
            let search = RootSearch { tolerance, sections: 1 };
            let root = first(name, search, cosine, &[true]).unwrap();
            assert!((root.tau - 0.5 * PI).abs() < tolerance + 1e-5, "{name}: {root:?}");
            assert!(root.tau - root.before <= tolerance.max(1e-14) && root.before < root.tau, "{name}: {root:?}");
            assert!(root.states[1] <= 0.0 && root.signs == [false], "{name}: {root:?}");
        }
    }
}

#[test]
fn of_two_events_in_a_step_the_first_one_counts() {
    // Both change within one section: a coarse method would see both at its end.
    let two: Event = |time, _, z| {
        (z[0], z[1]) = (time.tau - 1.234_567, (time.tau - 1.234_5).powi(3));
        Ok(())
    };
    for name in DENSE {
        let root = first(name, FINE, two, &[false, false]).unwrap();
        assert!((root.tau - 1.2345).abs() < 1e-11 && root.signs == [false, true], "{name}: {root:?}");
        let root = first(name, FINE, two, &[false, true]);
        assert_eq!(root.map(|root| root.tau), Some(0.0), "{name}: the sign at the start is another one");
    }
    let second: Event = |time, _, z| {
        (z[0], z[1]) = (time.tau - 1.234_567, 1.0);
        Ok(())
    };
    let root = first("dopri5", FINE, second, &[false, true]).unwrap();
    assert!((root.tau - 1.234_567).abs() < 1e-11 && root.signs == [true, true], "{root:?}");
}

#[test]
fn a_root_at_the_start_is_there_at_once_or_just_after() {
    let since_start: Event = |time, _, z| {
        z[0] = time.tau;
        Ok(())
    };
    // 0 is not positive: it becomes so just after the start.
    let root = first("dopri5", FINE, since_start, &[false]).unwrap();
    assert!(root.before == 0.0 && root.tau > 0.0 && root.tau <= 1e-12, "{root:?}");
    // It was positive before, so it has changed at the start.
    let root = first("dopri5", FINE, since_start, &[true]).unwrap();
    assert_eq!((root.before, root.tau, &root.signs[..], &root.states[..]), (0.0, 0.0, &[false][..], &[0.0, 1.0][..]));
}

#[test]
fn an_event_at_the_end_of_a_step_is_seen_there_or_in_the_next() {
    let mut ends = Vec::new();
    search_in("dopri5", |steps| -> Option<()> {
        ends.push(steps.span()[1]);
        None
    });
    let end = ends[2];
    let falls = search_in("dopri5", |steps| {
        let mut falls = |time: Time, _: &[f64], z: &mut [f64]| {
            z[0] = end - time.tau;
            Ok(())
        };
        FINE.first(steps, 10.0, &mut falls, &[true]).unwrap().map(|root| (root.tau, steps.span()[1]))
    });
    assert_eq!(falls, Some((end, end)));
    let rises = search_in("dopri5", |steps| {
        let mut rises = |time: Time, _: &[f64], z: &mut [f64]| {
            z[0] = time.tau - end;
            Ok(())
        };
        FINE.first(steps, 10.0, &mut rises, &[false]).unwrap().map(|root| (root, steps.span()))
    });
    let (root, span) = rises.unwrap();
    assert!(span[0] == end && root.before == end && root.tau > end && root.tau < end + 2e-12, "{root:?}");
}

#[test]
fn sections_find_what_comes_and_goes() {
    let gap: Event = |time, _, z| {
        z[0] = (time.tau - 1.03).abs() - 0.001;
        Ok(())
    };
    let dense = RootSearch { sections: 1000, ..FINE };
    let root = first("dopri5", dense, gap, &[true]).unwrap();
    assert!((root.tau - 1.029).abs() < 1e-11, "{root:?}");
    assert_eq!(first("dopri5", FINE, gap, &[true]), None);
}

#[test]
fn few_evaluations_do_for_smooth_functions_and_never_many_more_than_bisection() {
    let evaluations = |event: fn(f64) -> f64| {
        let mut n = 0;
        search_in("dopri5", |steps| {
            let mut counted = |time: Time, _: &[f64], z: &mut [f64]| {
                n += 1;
                z[0] = event(time.tau);
                Ok(())
            };
            let before = RootSearch { tolerance: 1e-12, sections: 1 }.first(steps, 10.0, &mut counted, &[false]).unwrap();
            if before.is_none() {
                n = 0;
            }
            before
        })
        .unwrap();
        n
    };
    assert!(evaluations(|t| t.sin() - 0.5) < 14, "{}", evaluations(|t| t.sin() - 0.5));
    for hard in [|t: f64| (t - 1.1).powi(9), |t: f64| if t > 1.1 { 1.0 } else { -1e-9 }, |t: f64| (t - 1.1).signum() * 1e300] {
        assert!(evaluations(hard) < 45, "{}", evaluations(hard));
    }
}

#[test]
fn what_has_no_sign_is_no_event() {
    let not_a_number: Event = |time, _, z| {
        z[0] = if time.tau > 1.0 { f64::NAN } else { 1.0 };
        Ok(())
    };
    let zero: Event = |_, _, z| {
        z[0] = 0.0;
        Ok(())
    };
    let outcome = search_in("dopri5", |steps| FINE.first(steps, 10.0, &mut { not_a_number }, &[true]).map(|_| ()).err());
    assert_eq!(outcome, Some(EvaluationError::Refused));
    assert_eq!(first("dopri5", FINE, zero, &[false]), None);
    assert_eq!(first("dopri5", FINE, zero, &[]), None, "no functions");
}
