//! Arguments that no importer should pass.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use fmi3::ffi;
use fmu_sdk::entry::fmi3 as entry;

use super::host::{Host, Wishes};
use crate::host::{ERROR, OK};
use crate::model::Everything;

/// Gives `check` each of the 70 functions that take an instance and return a status, called with NULL for everything else.
fn with_null_arguments(c: ffi::Instance, n: usize, check: impl Fn(&str, &dyn Fn() -> i32)) {
    macro_rules! call {
        ($($name:ident($($argument:expr),*);)*) => {
            [$({
                check(stringify!($name), &|| {
                    // SAFETY: the functions promise to refuse NULL.
                    unsafe { entry::$name::<Everything>(c $(, $argument)*) }
                });
            }),*].len()
        };
    }
    let number = call! {
        set_debug_logging(1, n, null());
        enter_initialization_mode(0, 0.0, 0.0, 0, 0.0);
        exit_initialization_mode();
        enter_event_mode();
        get_float32(null(), n, null_mut(), n);
        get_float64(null(), n, null_mut(), n);
        get_int8(null(), n, null_mut(), n);
        get_uint8(null(), n, null_mut(), n);
        get_int16(null(), n, null_mut(), n);
        get_uint16(null(), n, null_mut(), n);
        get_int32(null(), n, null_mut(), n);
        get_uint32(null(), n, null_mut(), n);
        get_int64(null(), n, null_mut(), n);
        get_uint64(null(), n, null_mut(), n);
        get_boolean(null(), n, null_mut(), n);
        get_string(null(), n, null_mut(), n);
        get_binary(null(), n, null_mut(), null_mut(), n);
        get_clock(null(), n, null_mut());
        set_float32(null(), n, null(), n);
        set_float64(null(), n, null(), n);
        set_int8(null(), n, null(), n);
        set_uint8(null(), n, null(), n);
        set_int16(null(), n, null(), n);
        set_uint16(null(), n, null(), n);
        set_int32(null(), n, null(), n);
        set_uint32(null(), n, null(), n);
        set_int64(null(), n, null(), n);
        set_uint64(null(), n, null(), n);
        set_boolean(null(), n, null(), n);
        set_string(null(), n, null(), n);
        set_binary(null(), n, null(), null(), n);
        set_clock(null(), n, null());
        get_number_of_variable_dependencies(1, null_mut());
        get_variable_dependencies(1, null_mut(), null_mut(), null_mut(), null_mut(), n);
        get_fmu_state(null_mut());
        set_fmu_state(null_mut());
        free_fmu_state(null_mut());
        serialized_fmu_state_size(null_mut(), null_mut());
        serialize_fmu_state(null_mut(), null_mut(), n);
        deserialize_fmu_state(null(), n, null_mut());
        get_directional_derivative(null(), n, null(), n, null(), n, null_mut(), n);
        get_adjoint_derivative(null(), n, null(), n, null(), n, null_mut(), n);
        enter_configuration_mode();
        exit_configuration_mode();
        get_interval_decimal(null(), n, null_mut(), null_mut());
        get_interval_fraction(null(), n, null_mut(), null_mut(), null_mut());
        get_shift_decimal(null(), n, null_mut());
        get_shift_fraction(null(), n, null_mut(), null_mut());
        set_interval_decimal(null(), n, null());
        set_interval_fraction(null(), n, null(), null());
        set_shift_decimal(null(), n, null());
        set_shift_fraction(null(), n, null(), null());
        evaluate_discrete_states();
        update_discrete_states(null_mut(), null_mut(), null_mut(), null_mut(), null_mut(), null_mut());
        enter_continuous_time_mode();
        completed_integrator_step(0, null_mut(), null_mut());
        set_time(0.0);
        set_continuous_states(null(), n);
        get_continuous_state_derivatives(null_mut(), n);
        get_event_indicators(null_mut(), n);
        get_continuous_states(null_mut(), n);
        get_nominals_of_continuous_states(null_mut(), n);
        get_number_of_event_indicators(null_mut());
        get_number_of_continuous_states(null_mut());
        enter_step_mode();
        get_output_derivatives(null(), n, null(), null_mut(), n);
        do_step(0.0, 0.1, 0, null_mut(), null_mut(), null_mut(), null_mut());
        activate_model_partition(0, 0.0);
        terminate();
        reset();
    };
    assert_eq!(number, 70);
}

#[test]
fn a_null_instance_is_an_error_in_every_function() {
    for n in [0, 1, usize::MAX] {
        with_null_arguments(null_mut(), n, |name, call| assert_eq!(call(), ERROR, "{name}"));
    }
    // SAFETY: NULL is ignored.
    unsafe { entry::free_instance::<Everything>(null_mut()) };
}

#[test]
fn null_arrays_are_errors_that_are_explained_and_never_a_crash() {
    for n in [1, 7, usize::MAX] {
        let host = Host::stepping();
        let mut state: ffi::FmuState = null_mut();
        host.save(&mut state);
        with_null_arguments(host.c, n, |name, call| {
            host.restore(state);
            let status = call();
            let lines = host.lines();
            let fine = ["terminate", "reset", "free_fmu_state"].contains(&name);
            assert_eq!((status == OK, lines.is_empty()), (fine, fine), "{name} {status} {lines:?}");
        });
        host.free(&mut state);
    }
}

#[test]
fn empty_null_arrays_are_fine() {
    let host = Host::stepping();
    with_null_arguments(host.c, 0, |name, call| {
        let is_access = ["get_float", "set_float", "get_int3", "set_uint", "get_bool", "set_string", "get_binary", "set_binary"];
        if is_access.iter().any(|part| name.starts_with(part)) || name == "set_debug_logging" {
            assert_eq!(call(), OK, "{name}");
        }
    });
    assert_eq!(host.lines(), []);
}

#[test]
fn a_step_without_room_for_its_answers_changes_nothing() {
    let host = Host::stepping();
    let (mut answer, mut time) = (7, 0.0);
    // SAFETY: a live instance; NULL is refused.
    assert_eq!(unsafe { (host.f.do_step)(host.c, 0.0, 0.5, 0, &mut answer, null_mut(), &mut answer, &mut time) }, ERROR);
    host.explained("logStatusError", "a pointer for an answer is NULL");
    assert_eq!((answer, host.f64(&[0], 1)), (7, Ok(vec![0.0])));
}

#[test]
fn foreign_and_misaligned_pointers_are_refused() {
    let mut memory = [0x5a_u64; 256];
    let foreign: *mut c_void = memory.as_mut_ptr().cast();
    let host = Host::stepping();
    for pointer in [foreign, foreign.wrapping_byte_add(1)] {
        // SAFETY: the memory is readable and larger than an instance.
        assert_eq!(unsafe { (host.f.terminate)(pointer) }, ERROR);
        // SAFETY: as above.
        unsafe { (host.f.free_instance)(pointer) };
    }
    // SAFETY: the memory is readable and larger than a saved state.
    assert_eq!(unsafe { (host.f.set_fmu_state.unwrap())(host.c, foreign) }, ERROR);
    host.explained("logStatusError", "not a saved state");
    let mut value = 0.0;
    let misaligned: *mut f64 = std::ptr::from_mut(&mut value).wrapping_byte_add(1);
    let host = Host::stepping();
    // SAFETY: a live instance; a misaligned pointer is refused.
    assert_eq!(unsafe { (host.f.get_float64.unwrap())(host.c, &1, 1, misaligned, 1) }, ERROR);
    host.explained("logStatusError", "not an array of this type");
}

#[test]
fn null_strings_and_callbacks_are_no_crash() {
    let f = fmu_sdk::fmi3::functions::<Everything>();
    // SAFETY: NULL everywhere is refused.
    let c = unsafe { (f.instantiate_co_simulation)(null(), null(), null(), 0, 0, 0, 0, null(), 0, null_mut(), None, None) };
    assert!(c.is_null());
    let token = Wishes::of::<Everything>().token.unwrap();
    // SAFETY: valid strings; neither logger nor callback is needed; an array that is NULL is refused.
    let c = unsafe {
        (f.instantiate_co_simulation)(c"a".as_ptr(), token.as_ptr(), null(), 0, 1, 0, 1, null(), 3, null_mut(), None, None)
    };
    assert!(c.is_null());
    // SAFETY: as above, with an empty array.
    let c = unsafe {
        (f.instantiate_co_simulation)(c"a".as_ptr(), token.as_ptr(), null(), 0, 1, 0, 1, null(), 0, null_mut(), None, None)
    };
    assert!(!c.is_null());
    // SAFETY: a live instance and arrays of length 1.
    assert_eq!(unsafe { (f.set_string.unwrap())(c, &13, 1, &null(), 1) }, ERROR);
    // SAFETY: a live instance that is not used again.
    unsafe { (f.free_instance)(c) };
}
