//! The step itself.

use fmi3::{Function, ffi};

use super::inputs::update_inputs;
use crate::component::{Component, Events, fits, guard, put, stops};
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
    let booleans = [event_handling_needed, terminate_simulation, early_return];
    let call = Call { t, booleans, h, time: last_successful_time, are_inputs_set };
    // SAFETY: the importer passes memory for the answers.
    let body = move |c: &mut Component<M>| unsafe { call.carry_out(c) };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(instance, Function::DoStep, body) }
}

/// The arguments of a call. Time and step size are apart, because a processor is slow to load two neighbors at once that were just stored one by one.
#[repr(C)]
struct Call {
    t: f64,
    /// Where to say whether an event must be handled, the simulation must end, and the step ended early.
    booleans: [*mut ffi::Boolean; 3],
    h: f64,
    /// Where to say which time was reached.
    time: *mut ffi::Float64,
    /// Whether the importer set inputs for this step, and a copy of the state before is kept.
    are_inputs_set: bool,
}

impl Call {
    /// # Safety
    /// The pointers are NULL, or there is memory for the answers.
    #[inline]
    unsafe fn carry_out<M: Model>(&self, c: &mut Component<M>) -> Result<(), Refusal> {
        let Self { t, booleans, h, time, are_inputs_set } = *self;
        if !booleans.iter().all(|answer| fits(*answer, 1)) || !fits(time, 1) {
            return Err(Refusal::error("a pointer for an answer is NULL"));
        }
        let is_copy_needed = (!M::UNCHANGED_BY_DISCARD || stops::<M>()) && !are_inputs_set;
        if is_copy_needed {
            c.keep();
        }
        let outcome = step(c, t, h);
        let answers = outcome.or_else(|refusal| ended(c, (t, h), refusal));
        let answers = answers.inspect_err(|refusal| {
            if (is_copy_needed || are_inputs_set) && refusal.kind() != RefusalKind::Error {
                c.rewind();
            }
        })?;
        for (to, answer) in booleans.into_iter().zip([answers.event, answers.terminate, answers.early]) {
            // SAFETY: the importer passes memory for the answer.
            unsafe { put(to, ffi::Boolean::from(answer)) }?;
        }
        // SAFETY: the importer passes memory for the answer.
        unsafe { put(time, c.state.run.time) }
    }
}

/// What a step answers.
#[derive(Default)]
struct Answers {
    event: bool,
    terminate: bool,
    early: bool,
}

/// Steps the model: up to the first stop, if the importer wants that.
#[inline]
fn step<M: Model>(c: &mut Component<M>, t: f64, h: f64) -> Result<Answers, Refusal> {
    let events = if M::HAS_EVENTS && c.options.event_mode_used { Events::InMode } else { Events::InStep };
    let early = M::RETURNS_EARLY && c.options.early_return_allowed;
    if !stops::<M>() || (events == Events::InStep && !early) {
        c.state.step(c.declared, t, h)?;
        return Ok(Answers::default());
    }
    let reached = c.state.until_stop(c.declared, (t, h), events, early)?;
    Ok(Answers { event: reached.event, terminate: false, early: reached.time < t + h })
}

/// Concludes a step in which the simulation must end. One that the model discards stays refused.
#[cold]
fn ended<M: Model>(c: &mut Component<M>, (t, h): (f64, f64), refusal: Refusal) -> Result<Answers, Refusal> {
    let RefusalKind::Discard { last_successful_time: Some(time), terminate: true } = refusal.kind() else { return Err(refusal) };
    c.state.stop_at(c.declared, t, time);
    c.logger.event(&refusal.to_string());
    let early = M::RETURNS_EARLY && c.options.early_return_allowed && time < t + h;
    Ok(Answers { event: false, terminate: true, early })
}
