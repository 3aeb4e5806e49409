//! Arguments that no importer should pass.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use fmi2::ffi::{self, Functions};

use crate::host::{ERROR, Host, OK};
use crate::model::Everything;

/// Gives `check` each of the 30 functions that take an instance and return a status, called with NULL for everything else.
fn with_null_arguments(f: &Functions, c: ffi::Component, n: usize, check: impl Fn(&str, &dyn Fn() -> i32)) {
    macro_rules! call {
        ($($name:ident $(. $unwrap:ident ())? ($($argument:expr),*);)*) => {
            $(check(stringify!($name), &|| {
                let function = f.$name $(.$unwrap())?;
                // SAFETY: the functions promise to refuse NULL.
                unsafe { function(c $(, $argument)*) }
            });)*
        };
    }
    call! {
        set_debug_logging.unwrap()(1, n, null());
        setup_experiment(0, 0.0, 0.0, 0, 0.0);
        enter_initialization_mode();
        exit_initialization_mode();
        get_real.unwrap()(null(), n, null_mut());
        get_integer.unwrap()(null(), n, null_mut());
        get_boolean.unwrap()(null(), n, null_mut());
        get_string.unwrap()(null(), n, null_mut());
        set_real.unwrap()(null(), n, null());
        set_integer.unwrap()(null(), n, null());
        set_boolean.unwrap()(null(), n, null());
        set_string.unwrap()(null(), n, null());
        get_fmu_state.unwrap()(null_mut());
        set_fmu_state.unwrap()(null_mut());
        free_fmu_state.unwrap()(null_mut());
        serialized_fmu_state_size.unwrap()(null_mut(), null_mut());
        serialize_fmu_state.unwrap()(null_mut(), null_mut(), n);
        de_serialize_fmu_state.unwrap()(null(), n, null_mut());
        get_directional_derivative.unwrap()(null(), n, null(), n, null(), null_mut());
        set_real_input_derivatives.unwrap()(null(), n, null(), null());
        get_real_output_derivatives.unwrap()(null(), n, null(), null_mut());
        do_step(0.0, 0.1, 0);
        cancel_step.unwrap()();
        get_status.unwrap()(ffi::DO_STEP_STATUS, null_mut());
        get_real_status.unwrap()(ffi::LAST_SUCCESSFUL_TIME, null_mut());
        get_integer_status.unwrap()(0, null_mut());
        get_boolean_status.unwrap()(ffi::TERMINATED, null_mut());
        get_string_status.unwrap()(ffi::PENDING_STATUS, null_mut());
        terminate();
        reset.unwrap()();
    }
}

#[test]
fn a_null_instance_is_an_error_in_every_function() {
    let f = fmu_sdk::functions::<Everything>();
    for n in [0, 1, usize::MAX] {
        with_null_arguments(&f, null_mut(), n, |name, call| assert_eq!(call(), ERROR, "{name}"));
    }
    // SAFETY: NULL is ignored.
    unsafe { (f.free_instance)(null_mut()) };
}

#[test]
fn null_arrays_are_errors_that_are_explained_and_never_a_crash() {
    for n in [1, 7, usize::MAX] {
        let host = Host::stepping();
        let mut state: ffi::FmuState = null_mut();
        // SAFETY: a live instance and a NULL handle.
        assert_eq!(unsafe { (host.f.get_fmu_state.unwrap())(host.c, &mut state) }, OK);
        with_null_arguments(&host.f, host.c, n, |name, call| {
            // SAFETY: a live instance and a live saved state.
            assert_eq!(unsafe { (host.f.set_fmu_state.unwrap())(host.c, state) }, OK);
            let status = call();
            let lines = host.lines();
            let fine = ["terminate", "reset", "do_step", "free_fmu_state"].contains(&name);
            assert_eq!((status == OK, lines.is_empty()), (fine, fine), "{name} {status} {lines:?}");
        });
        // SAFETY: a live instance and a live saved state that is not used again.
        assert_eq!(unsafe { (host.f.free_fmu_state.unwrap())(host.c, &mut state) }, OK);
    }
}

#[test]
fn empty_null_arrays_are_fine() {
    let host = Host::stepping();
    with_null_arguments(&host.f, host.c, 0, |name, call| {
        if name.ends_with("_real") || name.ends_with("_string") || name.ends_with("_logging") || name.ends_with("_derivative") {
            assert_eq!(call(), OK, "{name}");
        }
    });
    assert_eq!(host.lines(), []);
}

#[test]
fn instantiating_without_callbacks_gives_null() {
    let f = fmu_sdk::functions::<Everything>();
    // SAFETY: NULL everywhere is refused.
    assert!(unsafe { (f.instantiate)(null(), 1, null(), null(), null(), 0, 0) }.is_null());
}

#[test]
fn foreign_and_misaligned_pointers_are_refused() {
    let f = fmu_sdk::functions::<Everything>();
    let mut memory = [0x5a_u64; 256];
    let foreign: *mut c_void = memory.as_mut_ptr().cast();
    for pointer in [foreign, foreign.wrapping_byte_add(1)] {
        // SAFETY: the memory is readable and larger than an instance.
        assert_eq!(unsafe { (f.do_step)(pointer, 0.0, 0.1, 0) }, ERROR);
        // SAFETY: as above.
        unsafe { (f.free_instance)(pointer) };
    }
    let host = Host::stepping();
    // SAFETY: the memory is readable and larger than a saved state.
    assert_eq!(unsafe { (host.f.set_fmu_state.unwrap())(host.c, foreign) }, ERROR);
    host.explained("logStatusError", "not a saved state");
    let mut handle = foreign;
    // SAFETY: as above.
    assert_eq!(unsafe { (host.f.free_fmu_state.unwrap())(host.c, &mut handle) }, ERROR);
}

#[test]
fn null_strings_cannot_be_set() {
    let host = Host::stepping();
    // SAFETY: a live instance and arrays of length 1.
    assert_eq!(unsafe { (host.f.set_string.unwrap())(host.c, &1, 1, &null()) }, ERROR);
    host.explained("logStatusError", "NULL");
}
