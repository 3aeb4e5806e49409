//! The step itself.

use fmi3::{Function, ffi};

use super::inputs::update_inputs;
use crate::component::{Component, fits, guard, put};
use crate::model::RefusalKind;
use crate::{Model, Refusal};

/// `fmi3DoStep`.
///
/// A step that the model discards leaves the state before it. One that the model ends at a time where the simulation must end is complete up to there; it
/// is an early return if the importer allows that.
pub unsafe extern "C" fn do_step<M: Model>(
    instance: ffi::Instance,
    current_communication_point: ffi::Float64,
    communication_step_size: ffi::Float64,
    _no_set_fmu_state_prior_to_current_point: ffi::Boolean,
    event_handling_needed: *mut ffi::Boolean,
    terminate_simulation: *mut ffi::Boolean,
    early_return: *mut ffi::Boolean,
    last_successful_time: *mut ffi::Float64,
) -> ffi::RawStatus {
    let (t, h) = (current_communication_point, communication_step_size);
    // SAFETY: the importer passes one of its instances, to which there is no reference.
    let are_inputs_set = unsafe { update_inputs::<M>(instance, t, h) };
    let body = move |c: &mut Component<M>| {
        let booleans = [event_handling_needed, terminate_simulation, early_return];
        if !booleans.iter().all(|answer| fits(*answer, 1)) || !fits(last_successful_time, 1) {
            return Err(Refusal::error("a pointer for an answer is NULL"));
        }
        if !are_inputs_set {
            c.keep();
        }
        let answers = step(c, t, h)?;
        // SAFETY: the importer passes memory for the answer.
        unsafe { put(event_handling_needed, ffi::FALSE) }?;
        // SAFETY: the importer passes memory for the answer.
        unsafe { put(terminate_simulation, ffi::Boolean::from(answers.terminate)) }?;
        // SAFETY: the importer passes memory for the answer.
        unsafe { put(early_return, ffi::Boolean::from(answers.early)) }?;
        // SAFETY: the importer passes memory for the answer.
        unsafe { put(last_successful_time, c.state.run.time) }
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(instance, Function::DoStep, body) }
}

/// What a step answers.
struct Answers {
    terminate: bool,
    early: bool,
}

#[inline]
fn step<M: Model>(c: &mut Component<M>, t: f64, h: f64) -> Result<Answers, Refusal> {
    match c.state.step(c.declared, t, h) {
        Ok(()) => Ok(Answers { terminate: false, early: false }),
        Err(refusal) => stopped(c, (t, h), refusal),
    }
}

/// Concludes a step that the model did not complete.
#[cold]
fn stopped<M: Model>(c: &mut Component<M>, (t, h): (f64, f64), refusal: Refusal) -> Result<Answers, Refusal> {
    match refusal.kind() {
        RefusalKind::Error => Err(refusal),
        RefusalKind::Discard { last_successful_time: Some(time), terminate: true } => {
            c.state.stop_at(c.declared, t, time);
            c.logger.event(&refusal.to_string());
            Ok(Answers { terminate: true, early: c.options.early_return_allowed && time < t + h })
        }
        RefusalKind::Discard { .. } if c.rewind() => Err(refusal),
        RefusalKind::Discard { .. } => Err(refusal.into_error()),
    }
}
