//! The life cycle of an instance.

use std::ffi::{CStr, CString};
use std::ptr;

use fmi2::{Function, ffi};
use lotka_instance::{Phase, Status};

use crate::component::{Component, State, guard, isolate, slice, text};
use crate::declaration::{Declared, declared};
use crate::log::Logger;
use crate::{Environment, Model, Refusal};

/// `fmi2GetTypesPlatform`.
#[must_use]
pub unsafe extern "C" fn get_types_platform<M: Model>() -> ffi::FmiString {
    c"default".as_ptr()
}

/// `fmi2GetVersion`.
#[must_use]
pub unsafe extern "C" fn get_version<M: Model>() -> ffi::FmiString {
    c"2.0".as_ptr()
}

/// `fmi2Instantiate`. Returns NULL, with a log message if there is a logger, if name, GUID or type do not match.
#[must_use]
pub unsafe extern "C" fn instantiate<M: Model>(
    instance_name: ffi::FmiString,
    fmu_type: ffi::RawType,
    guid: ffi::FmiString,
    resource_location: ffi::FmiString,
    callbacks: *const ffi::CallbackFunctions,
    _visible: ffi::Boolean,
    logging_on: ffi::Boolean,
) -> ffi::Component {
    if callbacks.is_null() || !callbacks.is_aligned() {
        return ptr::null_mut();
    }
    // SAFETY: not null, aligned, and a structure that lives during the call; it is copied.
    let callbacks = unsafe { callbacks.read() };
    // SAFETY: NULL, or a string that lives during the call.
    let name = unsafe { text(instance_name) };
    // SAFETY: NULL, or a string that lives during the call.
    let guid = unsafe { text(guid) };
    // SAFETY: NULL, or a string that lives during the call.
    let environment = Environment::at(unsafe { text(resource_location) });
    let own_name: CString = name.unwrap_or(c"unnamed").into();
    // SAFETY: the importer keeps the logger callable as long as the instance lives.
    let logger = unsafe { Logger::new(callbacks.logger, callbacks.component_environment, own_name, logging_on != ffi::FALSE) };
    let start = || fits::<M>(name, fmu_type, guid).map(|declared| (declared, State::new(declared, &environment)));
    match isolate(start).and_then(|outcome| outcome) {
        Ok((declared, state)) => Component::<M>::into_raw(declared, state, logger, environment),
        Err(refusal) => {
            logger.explain(Status::Error, &format!("{}: {refusal}", Function::Instantiate));
            ptr::null_mut()
        }
    }
}

fn fits<M: Model>(name: Option<&CStr>, fmu_type: ffi::RawType, guid: Option<&CStr>) -> Result<&'static Declared<M>, Refusal> {
    if name.is_none_or(|name| name.to_bytes().trim_ascii().is_empty()) {
        return Err(Refusal::error("the instance name is missing or blank"));
    }
    if fmu_type != ffi::CO_SIMULATION {
        return Err(Refusal::error("this FMU is for co-simulation only; instantiate it with type fmi2CoSimulation"));
    }
    let declared = declared::<M>();
    let expected = declared.description.guid.as_str();
    if guid.is_none_or(|guid| guid.to_bytes() != expected.as_bytes()) {
        let got = guid.map_or("no GUID".into(), CStr::to_string_lossy);
        return Err(Refusal::error(format!(
            "expected the GUID {expected} of this library, found {got}; the library and modelDescription.xml do not match"
        )));
    }
    match declared.problems.first() {
        Some(problem) => Err(Refusal::error(format!("the model declaration is invalid: {problem}"))),
        None => Ok(declared),
    }
}

/// `fmi2FreeInstance`. NULL is ignored.
pub unsafe extern "C" fn free_instance<M: Model>(component: ffi::Component) {
    // A model that panics when it is dropped must not crash the importer, and there is no receiver for a message.
    let _ = isolate(|| {
        // SAFETY: the importer passes one of its instances, and does not use it again.
        unsafe { Component::<M>::free(component) }
    });
}

/// `fmi2SetDebugLogging`. No category means all of them; unknown ones are ignored.
pub unsafe extern "C" fn set_debug_logging<M: Model>(
    component: ffi::Component,
    logging_on: ffi::Boolean,
    n: usize,
    categories: *const ffi::FmiString,
) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        // SAFETY: the importer passes `n` strings.
        let categories = unsafe { slice(categories, n) }?;
        let on = logging_on != ffi::FALSE;
        if categories.is_empty() {
            c.logger.switch_all(on);
        } else {
            // SAFETY: NULL, or strings that live during the call.
            c.logger.switch(on, categories.iter().filter_map(|name| unsafe { text(*name) }));
        }
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::SetDebugLogging, body) }
}

/// `fmi2SetupExperiment`. May be called more than once; without it the start time is 0. A tolerance that is not positive
/// is ignored.
pub unsafe extern "C" fn setup_experiment<M: Model>(
    component: ffi::Component,
    tolerance_defined: ffi::Boolean,
    tolerance: ffi::Real,
    start: ffi::Real,
    stop_defined: ffi::Boolean,
    stop: ffi::Real,
) -> ffi::RawStatus {
    let tolerance = (tolerance_defined != ffi::FALSE && tolerance > 0.0).then_some(tolerance);
    let stop = if stop_defined != ffi::FALSE { stop } else { f64::MAX };
    let body = move |c: &mut Component<M>| {
        if !start.is_finite() {
            return Err(Refusal::error(format!("expected a finite start time, found {start}")));
        }
        if !stop.is_finite() || stop < start {
            return Err(Refusal::error(format!("the stop time {stop} s is not finite, or before the start time {start} s")));
        }
        let run = &mut c.state.run;
        (run.time, run.stop, run.tolerance, run.stale) = (start, stop, tolerance, true);
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::SetupExperiment, body) }
}

/// `fmi2EnterInitializationMode`.
pub unsafe extern "C" fn enter_initialization_mode<M: Model>(component: ffi::Component) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        c.state.run.phase = Phase::Initialization;
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::EnterInitializationMode, body) }
}

/// `fmi2ExitInitializationMode`.
pub unsafe extern "C" fn exit_initialization_mode<M: Model>(component: ffi::Component) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        c.state.refresh()?;
        c.state.run.phase = Phase::StepComplete;
        c.logger.event(&format!("initialized at {} s", c.state.run.time));
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::ExitInitializationMode, body) }
}

/// `fmi2Terminate`. Final values stay readable.
pub unsafe extern "C" fn terminate<M: Model>(component: ffi::Component) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        c.state.run.phase = Phase::Terminated;
        c.logger.event(&format!("terminated at {} s", c.state.run.time));
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::Terminate, body) }
}

/// `fmi2Reset`: the state right after instantiation.
pub unsafe extern "C" fn reset<M: Model>(component: ffi::Component) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        c.state = State::new(c.declared, &c.environment);
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::Reset, body) }
}
