//! Replies that no sound library gives, from functions that are linked into this program.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::{Arc, Mutex};

use fmi2::ffi::{Boolean, CallbackFunctions, Component, FmiString, FmuState, Functions, RawStatus, RawType, Real};
use fmi2::{Function, ModelDescription};
use fmu::{Fmu, InstantiateOptions};
use lotka_instance::{Cause, Experiment, Instance, LogMessage, Phase, RealRef, Status, StepOutcome};

const OK: RawStatus = 0;
const WARNING: RawStatus = 1;
const PENDING: RawStatus = 5;

extern "C" fn text() -> FmiString {
    c"default".as_ptr()
}
extern "C" fn instantiate(
    _: FmiString,
    _: RawType,
    _: FmiString,
    _: FmiString,
    _: *const CallbackFunctions,
    _: Boolean,
    _: Boolean,
) -> Component {
    std::ptr::dangling_mut::<u64>().cast()
}
extern "C" fn free(_: Component) {}
extern "C" fn setup(_: Component, _: Boolean, _: Real, _: Real, _: Boolean, _: Real) -> RawStatus {
    OK
}
extern "C" fn fine(_: Component) -> RawStatus {
    OK
}
extern "C" fn warns_silently(_: Component, _: Real, _: Real, _: Boolean) -> RawStatus {
    WARNING
}
extern "C" fn stays_pending(_: Component, _: Real, _: Real, _: Boolean) -> RawStatus {
    PENDING
}
extern "C" fn saves_nothing(_: Component, _: *mut FmuState) -> RawStatus {
    OK
}
extern "C" fn restores(_: Component, _: FmuState) -> RawStatus {
    OK
}

/// Only what every FMU must have.
fn functions() -> Functions {
    Functions {
        get_types_platform: text,
        get_version: text,
        instantiate,
        free_instance: free,
        setup_experiment: setup,
        enter_initialization_mode: fine,
        exit_initialization_mode: fine,
        terminate: fine,
        do_step: warns_silently,
        set_debug_logging: None,
        reset: None,
        get_real: None,
        get_integer: None,
        get_boolean: None,
        get_string: None,
        set_real: None,
        set_integer: None,
        set_boolean: None,
        set_string: None,
        get_fmu_state: None,
        set_fmu_state: None,
        free_fmu_state: None,
        serialized_fmu_state_size: None,
        serialize_fmu_state: None,
        de_serialize_fmu_state: None,
        get_directional_derivative: None,
        set_real_input_derivatives: None,
        get_real_output_derivatives: None,
        cancel_step: None,
        get_status: None,
        get_real_status: None,
        get_integer_status: None,
        get_boolean_status: None,
        get_string_status: None,
    }
}

fn started(functions: Functions, options: &InstantiateOptions) -> Box<dyn Instance> {
    let mut description = ModelDescription::default();
    description.co_simulation.get_or_insert_default().interface.can_get_and_set_fmu_state = Some(true);
    let mut instance = Fmu::from_functions(description, functions).instantiate("it", options).unwrap();
    instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    instance
}

#[test]
fn a_warning_without_a_message_gets_one() {
    let lines = Arc::new(Mutex::new(Vec::<LogMessage>::new()));
    let sink = Arc::clone(&lines);
    let log: lotka_instance::LogSink = Arc::new(move |line| sink.lock().unwrap().push(line));
    let mut instance = started(functions(), &InstantiateOptions { log: Some(log), ..InstantiateOptions::default() });
    assert_eq!(instance.step(&[], 0.0, 0.1, true, &mut []).unwrap(), StepOutcome::Complete);
    let lines = lines.lock().unwrap();
    assert_eq!((lines.len(), lines[0].status), (1, Some(Status::Warning)));
    assert_eq!(lines[0].message, "fmi2DoStep returned fmi2Warning and logged nothing");
}

#[test]
fn a_step_whose_end_cannot_be_asked_for_is_an_error() {
    let mut instance = started(Functions { do_step: stays_pending, ..functions() }, &InstantiateOptions::default());
    let error = instance.do_step(0.0, 0.1, false).unwrap_err();
    assert_eq!((error.function, &error.cause), (Function::GetStatus.into(), &Cause::Unsupported));
    // Neither canceled nor done: nothing may be called, not even to free it.
    assert_eq!(instance.phase(), Phase::StepInProgress);
    assert!(matches!(instance.terminate().unwrap_err().cause, Cause::NotAllowed(Phase::StepInProgress)));
}

#[test]
fn a_state_that_is_null_is_an_error() {
    let states = Functions {
        get_fmu_state: Some(saves_nothing),
        set_fmu_state: Some(restores),
        free_fmu_state: Some(saves_nothing),
        ..functions()
    };
    let mut instance = started(states, &InstantiateOptions::default());
    let slot = instance.new_slot().unwrap();
    let error = instance.save(slot).unwrap_err();
    assert_eq!((error.function, &error.cause), (Function::GetFMUstate.into(), &Cause::BadReply("the state is NULL".into())));
    assert!(matches!(instance.restore(slot).unwrap_err().cause, Cause::BadArgument(_)));
    instance.free_slot(slot).unwrap();
}

#[test]
fn functions_that_are_missing_are_unsupported() {
    let mut instance = started(functions(), &InstantiateOptions::default());
    assert_eq!(instance.get_real(&[RealRef(0)], &mut [0.0]).unwrap_err().cause, Cause::Unsupported);
    assert_eq!(instance.new_slot().unwrap_err().cause, Cause::Unsupported);
    assert_eq!(instance.reset().unwrap_err().cause, Cause::Unsupported);
    instance.terminate().unwrap();
}
