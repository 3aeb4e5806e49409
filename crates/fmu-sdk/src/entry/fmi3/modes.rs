//! Configuration mode and event mode.

use fmi3::{Function, ffi};
use lotka_instance::Phase;

use crate::component::{Component, fits, put};
use crate::entry::shared::guarded;
use crate::{Model, Refusal};

guarded! { guard: "fmi3", ffi::Instance;
    enter_configuration_mode: EnterConfigurationMode(|c|) {
        if !c.declared.has_structure() {
            return Err(Refusal::error("this FMU has no structural parameters"));
        }
        c.state.run.configuring = true;
        Ok(())
    }
    /// The arrays get their sizes.
    exit_configuration_mode: ExitConfigurationMode(|c|) {
        if !c.state.run.configuring {
            return Err(Refusal::error("the instance is not in configuration mode"));
        }
        c.state.run.configuring = false;
        c.state.run.stale = true;
        c.state.model.configure().map_err(Refusal::into_error)?;
        c.declared.check_structure(&mut c.state.model)
    }
    enter_event_mode: EnterEventMode(|c|) {
        if !c.options.event_mode_used {
            return Err(Refusal::error(if M::HAS_EVENTS {
                "the instance was created with eventModeUsed = false"
            } else {
                "this FMU has no event mode"
            }));
        }
        c.state.run.phase = Phase::Event;
        Ok(())
    }
    update_discrete_states: UpdateDiscreteStates(|c|
        discrete_states_need_update: *mut ffi::Boolean, terminate_simulation: *mut ffi::Boolean,
        nominals_of_continuous_states_changed: *mut ffi::Boolean, values_of_continuous_states_changed: *mut ffi::Boolean,
        next_event_time_defined: *mut ffi::Boolean, next_event_time: *mut ffi::Float64
    ) {
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
    }
    enter_step_mode: EnterStepMode(|c|) {
        c.state.run.phase = Phase::StepComplete;
        Ok(())
    }
}
