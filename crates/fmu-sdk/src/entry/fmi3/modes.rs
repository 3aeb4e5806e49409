//! Configuration mode and event mode.

use fmi3::{Function, ffi};
use lotka_instance::Phase;

use crate::component::{Component, fits, guard, put};
use crate::{Model, Refusal};

/// `fmi3EnterConfigurationMode`.
pub unsafe extern "C" fn enter_configuration_mode<M: Model>(instance: ffi::Instance) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        if !c.declared.has_structure() {
            return Err(Refusal::error("this FMU has no structural parameters"));
        }
        c.state.run.configuring = true;
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(instance, Function::EnterConfigurationMode, body) }
}

/// `fmi3ExitConfigurationMode`: the arrays get their sizes.
pub unsafe extern "C" fn exit_configuration_mode<M: Model>(instance: ffi::Instance) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        if !c.state.run.configuring {
            return Err(Refusal::error("the instance is not in configuration mode"));
        }
        c.state.run.configuring = false;
        c.state.run.stale = true;
        c.state.model.configure().map_err(Refusal::into_error)?;
        c.declared.check_structure(&mut c.state.model)
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(instance, Function::ExitConfigurationMode, body) }
}

/// `fmi3EnterEventMode`.
pub unsafe extern "C" fn enter_event_mode<M: Model>(instance: ffi::Instance) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        if !c.options.event_mode_used {
            return Err(Refusal::error(if M::HAS_EVENTS {
                "the instance was created with eventModeUsed = false"
            } else {
                "this FMU has no event mode"
            }));
        }
        c.state.run.phase = Phase::Event;
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(instance, Function::EnterEventMode, body) }
}

/// `fmi3UpdateDiscreteStates`.
pub unsafe extern "C" fn update_discrete_states<M: Model>(
    instance: ffi::Instance,
    discrete_states_need_update: *mut ffi::Boolean,
    terminate_simulation: *mut ffi::Boolean,
    nominals_of_continuous_states_changed: *mut ffi::Boolean,
    values_of_continuous_states_changed: *mut ffi::Boolean,
    next_event_time_defined: *mut ffi::Boolean,
    next_event_time: *mut ffi::Float64,
) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        let booleans = [
            discrete_states_need_update,
            terminate_simulation,
            nominals_of_continuous_states_changed,
            values_of_continuous_states_changed,
            next_event_time_defined,
        ];
        if !booleans.iter().all(|answer| fits(*answer, 1)) || !fits(next_event_time, 1) {
            return Err(Refusal::error("a pointer for an answer is NULL"));
        }
        let update = c.state.update_once(c.state.run.time)?;
        let next = update.next_event_time;
        let answers = [update.again, update.terminate, false, update.states_changed, next.is_some()];
        for (to, answer) in booleans.into_iter().zip(answers) {
            // SAFETY: the importer passes memory for the answer.
            unsafe { put(to, ffi::Boolean::from(answer)) }?;
        }
        // SAFETY: the importer passes memory for the answer.
        unsafe { put(next_event_time, next.unwrap_or(0.0)) }
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(instance, Function::UpdateDiscreteStates, body) }
}

/// `fmi3EnterStepMode`.
pub unsafe extern "C" fn enter_step_mode<M: Model>(instance: ffi::Instance) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        c.state.run.phase = Phase::StepComplete;
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(instance, Function::EnterStepMode, body) }
}
