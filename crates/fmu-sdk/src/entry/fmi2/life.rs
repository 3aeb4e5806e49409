//! The life cycle of an instance.

use std::ffi::CStr;
use std::ptr;

use fmi2::{Function, ffi};
use lotka_instance::{Phase, Status};

use crate::component::{Component, Options, State, isolate, text};
use crate::declaration::{Declared, declared};
use crate::entry::shared::{self, guarded, life_functions};
use crate::log::{Callback, Logger};
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
    let instance = name.unwrap_or(c"unnamed").to_owned();
    let log = callbacks.logger.map_or(Callback::Missing, |log| Callback::Fmi2 { log, instance });
    // SAFETY: the importer keeps the logger callable as long as the instance lives.
    let logger = unsafe { Logger::new(log, callbacks.component_environment, logging_on != ffi::FALSE) };
    let start = || fits::<M>(name, fmu_type, guid).map(|declared| (declared, State::new(declared, &environment)));
    match isolate(start).and_then(|outcome| outcome) {
        Ok((declared, state)) => Component::<M>::into_raw(declared, state, logger, environment, Options::default()),
        Err(refusal) => {
            logger.explain(Status::Error, &format!("{}: {refusal}", Function::Instantiate));
            ptr::null_mut()
        }
    }
}

fn fits<M: Model>(name: Option<&CStr>, fmu_type: ffi::RawType, guid: Option<&CStr>) -> Result<&'static Declared<M>, Refusal> {
    if fmu_type != ffi::CO_SIMULATION {
        return Err(Refusal::error("this FMU is for co-simulation only; instantiate it with type fmi2CoSimulation"));
    }
    let declared = declared::<M>();
    let problems = declared.fmi2_problems.iter().cloned();
    shared::refuse_unfit(declared, name, ("GUID", &declared.fmi2.guid, guid), problems).map(|()| declared)
}

life_functions! { "fmi2", ffi::Component, |on| on != ffi::FALSE, |_| Phase::StepComplete }

guarded! { guard: "fmi2", ffi::Component;
    /// May be called more than once; without it the start time is 0.
    setup_experiment: SetupExperiment(|c|
        tolerance_defined: ffi::Boolean, tolerance: ffi::Real, start: ffi::Real, stop_defined: ffi::Boolean, stop: ffi::Real
    ) {
        let tolerance = (tolerance_defined != ffi::FALSE).then_some(tolerance);
        let stop = (stop_defined != ffi::FALSE).then_some(stop);
        c.state.run.set_experiment(start, stop, tolerance)
    }
    enter_initialization_mode: EnterInitializationMode(|c|) {
        c.state.run.phase = Phase::Initialization;
        Ok(())
    }
}
