//! Call order, times, refusals, logging.

use std::ffi::CString;

use fmi3::ffi;

use super::host::{Host, Step, Wishes, vr};
use crate::host::{DISCARD, ERROR, OK};
use crate::model::Everything;

#[test]
fn a_whole_life() {
    let host = Host::of::<Everything>(&Wishes { debug: true, ..Wishes::of::<Everything>() }).started();
    for n in 0..10 {
        let t = f64::from(n) * 0.1;
        assert_eq!(host.do_step(t, 0.1), Step::to(t + 0.1));
    }
    assert_eq!(host.terminate(), OK);
    assert!((host.f64(&[vr::Z], 1).unwrap()[0] - 6.0).abs() < 1e-14);
    let lines = host.lines();
    assert!(!lines.is_empty() && lines.iter().all(|(status, category, _)| *status == OK && category == "logEvents"));
    assert_eq!(host.reset(), OK);
    assert_eq!(host.enter(0.0, None), OK);
    assert_eq!(host.f64(&[vr::Z], 1), Ok(vec![4.0]));
}

#[test]
fn the_version_is_that_of_the_standard() {
    let f = fmu_sdk::fmi3::functions::<Everything>();
    // SAFETY: no argument.
    let version = unsafe { (f.get_version)() };
    // SAFETY: a static string.
    assert_eq!(unsafe { std::ffi::CStr::from_ptr(version) }, c"3.0");
}

#[test]
fn calls_out_of_order_are_errors_until_reset() {
    let host = Host::new();
    assert_eq!(host.do_step(0.0, 0.1).status, ERROR);
    host.explained("logStatusError", "fmi3DoStep: the call is not allowed in phase `instantiated`");
    assert_eq!(host.enter(0.0, None), ERROR);
    host.explained("logStatusError", "call fmi3Reset or fmi3SetFMUState first");
    assert!(host.f64(&[vr::Z], 1).is_ok(), "values stay readable");
    assert_eq!(host.terminate(), ERROR);
    assert_eq!(host.reset(), OK);
    assert_eq!(host.enter(0.0, None), OK);
}

#[test]
fn time_is_adopted_within_rounding_and_refused_otherwise() {
    let host = Host::stepping();
    assert_eq!(host.do_step(0.0, 0.1), Step::to(0.1));
    assert_eq!(host.do_step(0.1 + 1e-12, 0.1), Step::to(0.1 + 1e-12 + 0.1));
    assert_eq!(host.do_step(0.3, 0.1).status, ERROR);
    for (t, h) in [(0.0, 0.0), (0.0, -0.1), (0.0, f64::NAN), (0.0, f64::INFINITY), (f64::NAN, 0.1)] {
        assert_eq!(Host::stepping().do_step(t, h).status, ERROR, "{t} {h}");
    }
}

#[test]
fn the_stop_time_is_kept_but_for_rounding() {
    let host = Host::new();
    assert_eq!((host.enter(10.0, Some(11.0)), host.exit()), (OK, OK));
    assert_eq!(host.do_step(10.0, 1.0 + 1e-12).status, OK);
    assert_eq!(host.do_step(11.0, 0.1).status, ERROR);
    host.explained("logStatusError", "exceeds the stop time 11 s of the experiment");
    for (start, stop) in [(f64::NAN, None), (f64::INFINITY, None), (1.0, Some(0.0)), (0.0, Some(f64::NAN))] {
        assert_eq!(Host::new().enter(start, stop), ERROR, "{start} {stop:?}");
    }
}

#[test]
fn panics_and_refused_starts_are_errors() {
    let host = Host::stepping();
    assert_eq!(host.set_i32(&[vr::FAULT], &[1]), OK);
    assert_eq!(host.do_step(0.0, 0.1).status, ERROR);
    host.explained("logStatusError", "fmi3DoStep: the model panicked: a fault was asked for at 0");
    let host = Host::new();
    assert_eq!(host.enter(0.0, None), OK);
    assert_eq!(host.set_f64(&[vr::OFFSET], &[101.0]), OK);
    assert_eq!(host.exit(), ERROR);
    host.explained("logStatusError", "the offset is too large to start");
}

#[test]
fn a_discarded_step_leaves_the_state_before_it() {
    let host = Host::stepping();
    assert_eq!(host.do_step(0.0, 0.25).status, OK);
    for fault in [2, 6] {
        assert_eq!(host.set_i32(&[vr::FAULT], &[fault]), OK);
        let before = host.f64(&[vr::Z, vr::TIME], 2);
        assert_eq!(host.do_step(0.25, 0.5).status, DISCARD, "{fault}");
        assert_eq!(host.lines().len(), 1);
        assert_eq!(host.f64(&[vr::Z, vr::TIME], 2), before, "{fault}");
    }
    assert_eq!(host.set_i32(&[vr::FAULT], &[0]), OK);
    assert_eq!(host.do_step(0.25, 0.1), Step::to(0.35));
}

#[test]
fn a_step_to_the_end_of_the_simulation_returns_early_if_that_is_allowed() {
    for early_return in [false, true] {
        let host = Host::of::<Everything>(&Wishes { early_return, debug: true, ..Wishes::of::<Everything>() }).started();
        assert_eq!(host.set_i32(&[vr::FAULT], &[4]), OK);
        host.lines();
        let end = Step { status: OK, event: false, terminate: true, early: early_return, time: 0.25 };
        assert_eq!(host.do_step(0.0, 0.5), end);
        host.explained("logEvents", "the end is reached");
        assert_eq!(host.f64(&[vr::TIME], 1), Ok(vec![0.25]));
        assert_eq!(host.terminate(), OK);
    }
}

#[test]
fn wishes_that_cannot_be_fulfilled_give_no_instance() {
    let right = Wishes::of::<Everything>();
    for (wishes, part) in [
        (Wishes { name: c" \t", ..right.clone() }, "the instance name is missing or blank"),
        (Wishes { token: None, ..right.clone() }, "found no instantiation token"),
        (Wishes { token: Some(c"{0}".into()), ..right.clone() }, "do not match"),
        (Wishes { event_mode: true, ..right.clone() }, "no event mode"),
        (Wishes { intermediate: vec![vr::U, vr::HELD], ..right.clone() }, "the value reference 8"),
        (Wishes { intermediate: vec![vr::TIME], ..right.clone() }, "the value reference 0"),
    ] {
        let (host, lines) = Host::try_new::<Everything>(&wishes);
        assert!(host.is_none(), "{part}");
        assert!(
            lines.len() == 1 && lines[0].2.starts_with("fmi3InstantiateCoSimulation: ") && lines[0].2.contains(part),
            "{lines:?}"
        );
    }
    let guid = CString::new(fmu_sdk::description::<Everything>().guid).unwrap();
    assert!(Host::try_new::<Everything>(&Wishes { token: Some(guid), ..right }).0.is_none(), "the GUID of the other version");
}

#[test]
fn instances_of_other_interface_types_are_refused_with_a_sentence() {
    use fmu_sdk::entry::fmi3 as entry;
    let (null, none) = (std::ptr::null(), std::ptr::null_mut());
    // SAFETY: NULL is refused.
    let instance = unsafe { entry::instantiate_model_exchange::<Everything>(null, null, null, 0, 0, none, None) };
    assert!(instance.is_null());
    // SAFETY: NULL is refused.
    let instance =
        unsafe { entry::instantiate_scheduled_execution::<Everything>(null, null, null, 0, 0, none, None, None, None, None) };
    assert!(instance.is_null());
    let host = Host::stepping();
    // SAFETY: a live instance.
    assert_eq!(unsafe { entry::set_time::<Everything>(host.c, 1.0) }, ERROR);
    host.explained("logStatusError", "fmi3SetTime: this FMU is for co-simulation only");
    assert_eq!(host.reset(), OK);
    // SAFETY: a live instance.
    assert_eq!(unsafe { entry::get_clock::<Everything>(host.c, std::ptr::null(), 0, std::ptr::null_mut()) }, ERROR);
    host.explained("logStatusError", "fmi3GetClock: this FMU has no clocks");
}

#[test]
fn events_are_logged_only_while_switched_on() {
    let host = Host::stepping();
    assert_eq!(host.lines(), []);
    let set = host.f.set_debug_logging.unwrap();
    let run = |on, categories: &[ffi::FmiString]| {
        // SAFETY: a live instance and an array of C strings.
        assert_eq!(unsafe { set(host.c, on, categories.len(), categories.as_ptr()) }, OK);
        assert_eq!((host.reset(), host.enter(0.0, None), host.exit()), (OK, OK, OK));
        host.lines().len()
    };
    assert_eq!(run(1, &[c"logStatusError".as_ptr(), std::ptr::null()]), 0);
    assert_eq!(run(1, &[c"logEvents".as_ptr()]), 1);
    assert_eq!(run(0, &[]), 0);
    assert_eq!(run(0x80, &[]), 1);
    assert_eq!(run(0, &[c"logAll".as_ptr()]), 0);
}
