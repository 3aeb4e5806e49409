//! The life cycle of an instance.

use std::ffi::CStr;
use std::ptr;

use fmi3::{Function, ffi};
use lotka_instance::{Phase, Status};

use crate::component::{Component, IntermediateUpdate, Options, POINTS, State, isolate, slice, text};
use crate::declaration::{Declared, declared};
use crate::entry::shared::{self, guarded, life_functions};
use crate::log::{Callback, Logger};
use crate::{Environment, Model, Refusal};

/// `fmi3GetVersion`.
#[must_use]
pub unsafe extern "C" fn get_version<M: Model>() -> ffi::FmiString {
    c"3.0".as_ptr()
}

/// `fmi3InstantiateCoSimulation`. Returns NULL, with a log message if there is a logger, if name, token or wishes of the importer
/// do not match.
#[must_use]
pub unsafe extern "C" fn instantiate_co_simulation<M: Model>(
    instance_name: ffi::FmiString,
    instantiation_token: ffi::FmiString,
    resource_path: ffi::FmiString,
    _visible: ffi::Boolean,
    logging_on: ffi::Boolean,
    event_mode_used: ffi::Boolean,
    early_return_allowed: ffi::Boolean,
    required_intermediate_variables: *const ffi::ValueReference,
    n: usize,
    instance_environment: ffi::InstanceEnvironment,
    log_message: Option<ffi::LogMessageCallback>,
    intermediate_update: Option<ffi::IntermediateUpdateCallback>,
) -> ffi::Instance {
    // SAFETY: NULL, or a string that lives during the call.
    let name = unsafe { text(instance_name) };
    // SAFETY: NULL, or a string that lives during the call.
    let token = unsafe { text(instantiation_token) };
    // SAFETY: NULL, or a string that lives during the call.
    let environment = Environment::in_folder(unsafe { text(resource_path) });
    let log = log_message.map_or(Callback::Missing, Callback::Fmi3);
    // SAFETY: the importer keeps the logger callable as long as the instance lives.
    let logger = unsafe { Logger::new(log, instance_environment, ffi::boolean(logging_on)) };
    // SAFETY: the importer passes `n` value references.
    let required = unsafe { slice(required_intermediate_variables, n) };
    let start = || {
        let declared = fits::<M>(name, token, ffi::boolean(event_mode_used))?;
        let sets_inputs =
            !required?.iter().map(|reference| is_interpolated(declared, *reference)).collect::<Result<Vec<_>, _>>()?.is_empty();
        let samples = vec![[0.0; POINTS]; declared.polynomials.iter().flatten().count()];
        let update =
            |callback| IntermediateUpdate { callback, environment: instance_environment, samples, n_sampled: 0, is_set: false };
        let options = Options {
            event_mode_used: ffi::boolean(event_mode_used),
            early_return_allowed: ffi::boolean(early_return_allowed),
            intermediate_update: intermediate_update.filter(|_| sets_inputs).map(update),
        };
        Ok((declared, State::new(declared, &environment), options))
    };
    match isolate(start).and_then(|outcome| outcome) {
        Ok((declared, state, options)) => Component::<M>::into_raw(declared, state, logger, environment, options),
        Err(refusal) => {
            logger.explain(Status::Error, &format!("{}: {refusal}", Function::InstantiateCoSimulation));
            ptr::null_mut()
        }
    }
}

fn fits<M: Model>(name: Option<&CStr>, token: Option<&CStr>, event_mode_used: bool) -> Result<&'static Declared<M>, Refusal> {
    if event_mode_used && !M::HAS_EVENTS {
        return Err(Refusal::error("this FMU has no event mode; pass eventModeUsed = false"));
    }
    let declared = declared::<M>();
    let identifier = ("instantiation token", declared.fmi3.instantiation_token.as_str(), token);
    shared::refuse_unfit(declared, name, identifier, std::iter::empty()).map(|()| declared)
}

/// Refuses a variable that cannot be set during a step.
fn is_interpolated<M>(declared: &Declared<M>, reference: ffi::ValueReference) -> Result<(), Refusal> {
    if declared.place(reference).is_some_and(|place| place.is_interpolated) {
        return Ok(());
    }
    Err(Refusal::error(format!(
        "the value reference {reference} among the required intermediate variables is not that of a variable with intermediateUpdate"
    )))
}

life_functions! { "fmi3", ffi::Instance, ffi::boolean, |c: &Component<M>| {
    if c.options.event_mode_used { Phase::Event } else { Phase::StepComplete }
} }

guarded! { guard: "fmi3", ffi::Instance;
    enter_initialization_mode: EnterInitializationMode(|c|
        tolerance_defined: ffi::Boolean, tolerance: ffi::Float64, start: ffi::Float64, stop_defined: ffi::Boolean,
        stop: ffi::Float64
    ) {
        if c.state.run.configuring {
            return Err(Refusal::error("the instance is in configuration mode; call fmi3ExitConfigurationMode first"));
        }
        let tolerance = ffi::boolean(tolerance_defined).then_some(tolerance);
        let stop = ffi::boolean(stop_defined).then_some(stop);
        c.state.run.set_experiment(start, stop, tolerance)?;
        c.state.run.phase = Phase::Initialization;
        Ok(())
    }
}
