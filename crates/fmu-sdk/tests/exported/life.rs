//! Call order, times, refusals, logging.

use std::ffi::CString;

use fmi2::ffi;

use crate::host::{DISCARD, ERROR, Host, OK, instantiate};
use crate::model::{Everything, integer, real};

#[test]
fn a_whole_life() {
    let host = Host::new(true);
    host.enter();
    host.exit();
    for n in 0..10 {
        assert_eq!(host.do_step(f64::from(n) * 0.1, 0.1), OK);
    }
    assert_eq!(host.terminate(), OK);
    assert!((host.reals(&[real::Z])[0] - 6.0).abs() < 1e-14);
    assert!(host.lines().iter().all(|(status, category, _)| *status == OK && category == "logEvents"));
    assert_eq!(host.reset(), OK);
    host.enter();
    assert_eq!(host.reals(&[real::Z]), [4.0]);
}

#[test]
fn calls_out_of_order_are_errors_until_reset() {
    let host = Host::new(false);
    assert_eq!(host.do_step(0.0, 0.1), ERROR);
    host.explained("logStatusError", "fmi2DoStep: the call is not allowed in phase `instantiated`");
    assert_eq!(host.setup(0.0, None), ERROR);
    host.explained("logStatusError", "fmi2Reset");
    assert_eq!(host.terminate(), ERROR);
    assert_eq!(host.reset(), OK);
    assert_eq!(host.setup(0.0, None), OK);
}

#[test]
fn time_is_adopted_within_rounding_and_refused_otherwise() {
    let host = Host::stepping();
    assert_eq!(host.do_step(0.0, 0.1), OK);
    assert_eq!(host.do_step(0.1 + 1e-12, 0.1), OK);
    assert_eq!(last_successful_time(&host), 0.1 + 1e-12 + 0.1);
    assert_eq!(host.do_step(0.3, 0.1), ERROR);
    host.explained("logStatusError", "expected a step from 0.2");
    for (t, h) in [(0.0, 0.0), (0.0, -0.1), (0.0, f64::NAN), (0.0, f64::INFINITY), (f64::NAN, 0.1)] {
        assert_eq!(Host::stepping().do_step(t, h), ERROR, "{t} {h}");
    }
}

#[test]
fn the_stop_time_is_kept_but_for_rounding() {
    let host = Host::new(false);
    assert_eq!(host.setup(10.0, Some(11.0)), OK);
    // SAFETY: a live instance.
    assert_eq!(unsafe { (host.f.enter_initialization_mode)(host.c) }, OK);
    host.exit();
    assert_eq!(host.do_step(10.0, 1.0 + 1e-12), OK);
    assert_eq!(host.do_step(11.0, 0.1), ERROR);
    host.explained("logStatusError", "exceeds the stop time 11 s");
    for (start, stop) in [(f64::NAN, None), (f64::INFINITY, None), (1.0, Some(0.0)), (0.0, Some(f64::NAN))] {
        assert_eq!(Host::new(false).setup(start, stop), ERROR, "{start} {stop:?}");
    }
}

#[test]
fn a_panic_of_the_model_is_an_error_with_its_message() {
    let host = Host::stepping();
    assert_eq!(host.set_integers(&[integer::FAULT], &[1]), OK);
    assert_eq!(host.do_step(0.0, 0.1), ERROR);
    host.explained("logStatusError", "fmi2DoStep: the model panicked: a fault was asked for at 0");
    assert_eq!(host.reset(), OK);
}

#[test]
fn a_discarded_step_reports_time_and_end_and_its_message_is_escaped() {
    let host = Host::stepping();
    assert_eq!(host.do_step(0.0, 0.25), OK);
    assert_eq!(host.set_integers(&[integer::FAULT], &[2]), OK);
    assert_eq!(host.do_step(0.25, 0.5), DISCARD);
    host.explained("logStatusDiscard", "fmi2DoStep: 50 % of ##1 is too much");
    assert_eq!((last_successful_time(&host), terminated(&host)), (0.25, 0));
    assert_eq!(host.do_step(0.25, 0.1), ERROR);
    host.explained("logStatusError", "discarded");
    let host = Host::stepping();
    assert_eq!(host.set_integers(&[integer::FAULT], &[5]), OK);
    assert_eq!(host.do_step(0.0, 0.5), DISCARD);
    assert_eq!((last_successful_time(&host), terminated(&host)), (0.125, 0));
    let host = Host::stepping();
    assert_eq!(host.set_integers(&[integer::FAULT], &[4]), OK);
    assert_eq!(host.do_step(0.0, 0.5), DISCARD);
    assert_eq!((last_successful_time(&host), terminated(&host)), (0.25, 1));
    assert_eq!(host.terminate(), OK);
}

#[test]
fn a_refused_start_is_an_error() {
    let host = Host::new(false);
    host.enter();
    assert_eq!(host.set_reals(&[real::OFFSET], &[101.0]), OK);
    // SAFETY: a live instance.
    assert_eq!(unsafe { (host.f.exit_initialization_mode)(host.c) }, ERROR);
    host.explained("logStatusError", "the offset is too large to start");
}

#[test]
fn names_guids_and_types_that_do_not_fit_are_refused() {
    let f = fmu_sdk::functions::<Everything>();
    let guid = CString::new(fmu_sdk::description::<Everything>().guid).unwrap();
    let null = std::ptr::null();
    let cosim = ffi::CO_SIMULATION;
    for (name, fmu_type, guid) in [
        (null, cosim, guid.as_ptr()),
        (c" \t".as_ptr(), cosim, guid.as_ptr()),
        (c"a".as_ptr(), 0, guid.as_ptr()),
        (c"a".as_ptr(), cosim, null),
        (c"a".as_ptr(), cosim, c"{0}".as_ptr()),
    ] {
        assert!(instantiate(&f, (name, fmu_type, guid, null), None, true).is_null());
    }
    let c = instantiate(&f, (c"a".as_ptr(), cosim, guid.as_ptr(), null), None, true);
    assert!(!c.is_null(), "no logger is needed");
    // SAFETY: a live instance that is not used again.
    unsafe { (f.free_instance)(c) };
    let log = std::sync::Mutex::new(Vec::new());
    assert!(instantiate(&f, (c"a/b c".as_ptr(), cosim, c"{0}".as_ptr(), null), Some(&log), false).is_null());
    assert!(log.lock().unwrap()[0].2.contains("do not match"));
}

#[test]
fn events_are_logged_only_while_switched_on() {
    let host = Host::new(false);
    host.enter();
    host.exit();
    assert_eq!(host.lines(), []);
    let set = host.f.set_debug_logging.unwrap();
    let run = |on, categories: &[ffi::FmiString]| {
        // SAFETY: a live instance and an array of C strings.
        assert_eq!(unsafe { set(host.c, on, categories.len(), categories.as_ptr()) }, OK);
        assert_eq!(host.reset(), OK);
        host.enter();
        host.exit();
        host.lines().len()
    };
    assert_eq!(run(1, &[c"logStatusError".as_ptr(), std::ptr::null()]), 0);
    assert_eq!(run(1, &[c"logEvents".as_ptr()]), 1);
    assert_eq!(run(0, &[]), 0);
    assert_eq!(run(1, &[]), 1);
    assert_eq!(run(0, &[c"logAll".as_ptr()]), 0);
}

fn last_successful_time(host: &Host) -> f64 {
    let mut time = f64::NAN;
    // SAFETY: a live instance and room for one value.
    assert_eq!(unsafe { (host.f.get_real_status.unwrap())(host.c, ffi::LAST_SUCCESSFUL_TIME, &mut time) }, OK);
    time
}

fn terminated(host: &Host) -> i32 {
    let mut value = -1;
    // SAFETY: a live instance and room for one value.
    assert_eq!(unsafe { (host.f.get_boolean_status.unwrap())(host.c, ffi::TERMINATED, &mut value) }, OK);
    value
}
