//! Inputs that the importer sets during a step.

use super::host::{Host, Pointer, Step, Wishes, vr};
use crate::host::{DISCARD, ERROR, OK};
use crate::model::Everything;

/// Sets one input through the function table, as a callback does.
fn setter(host: &Host) -> impl Fn(u32, f64) -> i32 + Send + 'static {
    let (set, instance) = (host.f.set_float64.unwrap(), Pointer(host.c));
    move |reference, value| instance.set(set, reference, &[value])
}

/// Ready to step; during a step, the input `u` is `u(t)`.
fn driven(u: impl Fn(f64) -> f64 + Send + 'static) -> Host {
    let host = Host::of::<Everything>(&Wishes { intermediate: vec![vr::U], ..Wishes::of::<Everything>() }).started();
    let set = setter(&host);
    *host.shared.inputs.lock().unwrap() = Box::new(move |t| assert_eq!(set(vr::U, u(t)), OK));
    host
}

#[test]
fn a_cubic_is_integrated_exactly_and_the_input_keeps_its_end_value() {
    // u = 1 + 2 t + 3 t^2 + t^3, gain 2: z = 4 + 2 (1 + 1 + 1 + 1/4)
    let host = driven(|t| 1.0 + t * (2.0 + t * (3.0 + t)));
    assert_eq!(host.do_step(0.0, 1.0), Step::to(1.0));
    let near = |found: &[f64], expected: &[f64]| {
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-13), "{found:?} {expected:?}");
    };
    near(&host.f64(&[vr::Z, vr::U], 2).unwrap(), &[10.5, 7.0]);
    near(&host.derivatives(&[vr::Z, vr::Z], &[1, 2]).unwrap(), &[14.0, 22.0]);
    *host.shared.inputs.lock().unwrap() = Box::new(|_| ());
    assert_eq!(host.do_step(1.0, 1.0), Step::to(2.0));
    near(&host.f64(&[vr::Z, vr::U], 2).unwrap(), &[24.5, 7.0]);
    near(&host.derivatives(&[vr::Z], &[2]).unwrap(), &[0.0]);
}

#[test]
fn the_importer_is_asked_at_four_points_and_only_if_it_wants() {
    let times = std::sync::Arc::new(std::sync::Mutex::new(vec![]));
    let asked = |intermediate: Vec<u32>| {
        let host = Host::of::<Everything>(&Wishes { intermediate, ..Wishes::of::<Everything>() }).started();
        let noted = times.clone();
        *host.shared.inputs.lock().unwrap() = Box::new(move |t| noted.lock().unwrap().push(t));
        assert_eq!(host.do_step(0.0, 0.75), Step::to(0.75));
        (std::mem::take(&mut *times.lock().unwrap()), host.f64(&[vr::Z], 1).unwrap()[0])
    };
    assert_eq!(asked(vec![vr::U]), (vec![0.0, 0.25, 0.5, 0.75], 5.5));
    assert_eq!(asked(vec![]), (vec![], 5.5), "without new values the input is held, bit for bit");
}

/// An importer may set an input at some of the points only: elsewhere it has the value set last.
#[test]
fn an_input_that_is_not_set_at_a_point_has_its_last_value_there() {
    let stepped = |first_set: f64, is_explicit: bool| {
        let host = driven(|_| 0.0);
        let (set, start) = (setter(&host), host.f64(&[vr::U], 1).unwrap()[0]);
        let end = start + 0.25 + 3.0 * 0.75 * 0.75;
        *host.shared.inputs.lock().unwrap() = Box::new(move |t| {
            // In the second step, only its last point differs.
            let (before, time, first) = if t > 0.75 { (end, t - 0.75, 0.75) } else { (start, t, first_set) };
            let value = if time >= first { start + 0.25 + 3.0 * t * t } else { before };
            if is_explicit || value != before {
                assert_eq!(set(vr::U, value), OK);
            }
        });
        assert_eq!(host.do_step(0.0, 0.75), Step::to(0.75));
        let first = host.f64(&[vr::Z, vr::U], 2).unwrap();
        assert_eq!(host.do_step(0.75, 0.75), Step::to(1.5));
        (first, host.f64(&[vr::Z, vr::U], 2).unwrap())
    };
    for first_set in [0.0, 0.25, 0.5, 0.75] {
        let (sparse, explicit) = (stepped(first_set, false), stepped(first_set, true));
        assert_eq!(sparse, explicit, "from {first_set} s on");
        assert_ne!(sparse.0, stepped(9.0, true).0, "from {first_set} s on");
    }
}

#[test]
fn during_a_step_nothing_else_can_be_done() {
    let host = driven(|_| 0.0);
    let set = setter(&host);
    *host.shared.inputs.lock().unwrap() = Box::new(move |_| _ = set(vr::HELD, 1.0));
    assert_eq!(host.do_step(0.0, 0.5).status, ERROR);
    assert!(host.lines()[0].2.contains("the variable with value reference 8 cannot be set during a step"));

    let host = driven(|_| 0.0);
    let (free, reset, get) = (host.f.free_instance, host.f.reset.unwrap(), host.f.get_float64.unwrap());
    let instance = Pointer(host.c);
    let statuses = std::sync::Arc::new(std::sync::Mutex::new(vec![]));
    let noted = statuses.clone();
    *host.shared.inputs.lock().unwrap() = Box::new(move |t| {
        let Pointer(instance) = { instance };
        let mut value = 0.0;
        if t == 0.0 {
            // SAFETY: a live instance, which refuses to be freed.
            unsafe { free(instance) };
        } else {
            let status = if t < 0.4 {
                // SAFETY: a live instance.
                unsafe { reset(instance) }
            } else {
                // SAFETY: a live instance, and arrays of length 1.
                unsafe { get(instance, &vr::Z, 1, &mut value, 1) }
            };
            noted.lock().unwrap().push(status);
        }
    });
    assert_eq!(host.do_step(0.0, 0.75).status, ERROR);
    assert_eq!(*statuses.lock().unwrap(), [ERROR, OK, OK], "after an error, values are readable");
    assert!(host.lines()[0].2.contains("its step is in progress"));
    assert_eq!(host.reset(), OK);
}

#[test]
fn a_discarded_step_restores_the_inputs_too() {
    let host = driven(|t| 5.0 + t);
    assert_eq!(host.set_i32(&[vr::FAULT], &[6]), OK);
    let before = host.f64(&[vr::Z, vr::U, vr::TIME], 3);
    assert_eq!(host.do_step(0.0, 0.5).status, DISCARD);
    assert_eq!(host.f64(&[vr::Z, vr::U, vr::TIME], 3), before);
    assert_eq!(host.set_i32(&[vr::FAULT], &[0]), OK);
    assert_eq!(host.do_step(0.0, 0.5), Step::to(0.5));
}

#[test]
fn a_step_that_is_out_of_order_asks_for_nothing() {
    let host = Host::of::<Everything>(&Wishes { intermediate: vec![vr::U], ..Wishes::of::<Everything>() });
    *host.shared.inputs.lock().unwrap() = Box::new(|_| panic!("asked"));
    assert_eq!(host.do_step(0.0, 0.5).status, ERROR);
    let host = host;
    assert_eq!(host.reset(), OK);
    let host = host.started();
    assert_eq!(host.do_step(3.0, 0.5).status, ERROR);
}
