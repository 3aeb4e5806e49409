//! The step itself.

use fmi3::{Function, ffi};

use super::inputs::update_inputs;
use crate::component::{Component, Events, fits, guard_arrays, guard_ready, stops};
use crate::{Model, Refusal, RefusalKind};

/// `fmi3DoStep`.
///
/// A step that the model discards leaves the state before it. One that the model ends at a time where the simulation must end is
/// complete up to there; it is an early return if the importer allows that.
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
    let answers = Answers { event_handling_needed, terminate_simulation, early_return, last_successful_time };
    // SAFETY: the importer passes one of its instances.
    let ready = unsafe { Component::<M>::ready_without_inputs(instance) };
    if let Some(component) = ready.filter(|_| answers.are_writable()) {
        // SAFETY: the importer passes memory for the answers.
        return guard_ready(component, Function::DoStep, |component| unsafe { carry_out(component, (t, h), false, &answers) });
    }
    // SAFETY: passed on.
    unsafe { do_other_step::<M>(instance, t, h, answers) }
}

/// A step before which the importer may set inputs, or one that is refused.
///
/// # Safety
/// The importer passes one of its instances, to which there is no reference, and memory for the answers, or NULL.
#[inline(never)]
unsafe fn do_other_step<M: Model>(instance: ffi::Instance, t: f64, h: f64, answers: Answers) -> ffi::RawStatus {
    // SAFETY: passed on.
    let are_inputs_set = unsafe { update_inputs::<M>(instance, t, h) };
    let answers = if answers.are_writable() { Ok(answers) } else { Err(Refusal::error("a pointer for an answer is NULL")) };
    // SAFETY: there is memory for the answers.
    let body = |c: &mut Component<M>, answers: &mut Answers| unsafe { carry_out(c, (t, h), are_inputs_set, answers) };
    // SAFETY: passed on.
    unsafe { guard_arrays(instance, Function::DoStep, answers, body) }
}

/// Carries out a step. A copy of the state before it is kept if the importer set inputs for it.
///
/// # Safety
/// There is memory for the answers.
#[inline(always)]
unsafe fn carry_out<M: Model>(
    c: &mut Component<M>,
    (t, h): (f64, f64),
    are_inputs_set: bool,
    answers: &Answers,
) -> Result<(), Refusal> {
    let is_copy_made = (!M::UNCHANGED_BY_DISCARD || stops::<M>()) && !are_inputs_set;
    if is_copy_made {
        c.keep();
    }
    match step(c, t, h) {
        // SAFETY: passed on.
        Ok(reached) => unsafe { answers.write(reached, c.state.run.time) },
        // SAFETY: passed on.
        Err(refusal) => unsafe { conclude(c, (t, h), refusal, is_copy_made || are_inputs_set, answers)? },
    }
    Ok(())
}

/// Answers the call for a step in which the simulation must end. Other failures leave the state before the step, of which there
/// may be a copy.
///
/// # Safety
/// There is memory for the answers.
#[cold]
#[inline(never)]
unsafe fn conclude<M: Model>(
    c: &mut Component<M>,
    step: (f64, f64),
    refusal: Refusal,
    has_copy: bool,
    answers: &Answers,
) -> Result<(), Refusal> {
    let reached = ended(c, step, refusal).inspect_err(|refusal| {
        if has_copy && refusal.kind() != RefusalKind::Error {
            c.rewind();
        }
    })?;
    // SAFETY: passed on.
    unsafe { answers.write(reached, c.state.run.time) };
    Ok(())
}

/// Where to say whether an event must be handled, the simulation must end, and the step ended early, and which time was reached.
struct Answers {
    event_handling_needed: *mut ffi::Boolean,
    terminate_simulation: *mut ffi::Boolean,
    early_return: *mut ffi::Boolean,
    last_successful_time: *mut ffi::Float64,
}

impl Answers {
    #[inline]
    fn are_writable(&self) -> bool {
        fits(self.event_handling_needed, 1)
            && fits(self.terminate_simulation, 1)
            && fits(self.early_return, 1)
            && fits(self.last_successful_time, 1)
    }

    /// # Safety
    /// There is memory for the answers.
    #[inline]
    unsafe fn write(&self, reached: Reached, time: f64) {
        // SAFETY: there is memory for the answer.
        unsafe { self.event_handling_needed.write(reached.event.into()) };
        // SAFETY: there is memory for the answer.
        unsafe { self.terminate_simulation.write(reached.terminate.into()) };
        // SAFETY: there is memory for the answer.
        unsafe { self.early_return.write(reached.early.into()) };
        // SAFETY: there is memory for the answer.
        unsafe { self.last_successful_time.write(time) };
    }
}

/// How a step ended.
#[derive(Default)]
struct Reached {
    event: bool,
    terminate: bool,
    early: bool,
}

/// Steps the model: up to the first stop, if the importer wants that.
#[inline]
fn step<M: Model>(c: &mut Component<M>, t: f64, h: f64) -> Result<Reached, Refusal> {
    let events = if M::HAS_EVENTS && c.options.event_mode_used { Events::InMode } else { Events::InStep };
    let early = M::RETURNS_EARLY && c.options.early_return_allowed;
    if !stops::<M>() || (events == Events::InStep && !early) {
        c.state.step(c.declared, t, h)?;
        return Ok(Reached::default());
    }
    let reached = c.state.until_stop(c.declared, (t, h), events, early)?;
    Ok(Reached { event: reached.event, terminate: false, early: reached.time < t + h })
}

/// Concludes a step in which the simulation must end. One that the model discards stays refused.
fn ended<M: Model>(c: &mut Component<M>, (t, h): (f64, f64), refusal: Refusal) -> Result<Reached, Refusal> {
    let RefusalKind::Discard { last_successful_time: Some(time), terminate: true } = refusal.kind() else { return Err(refusal) };
    c.state.stop_at(c.declared, t, time);
    c.logger.event(&refusal.to_string());
    let early = M::RETURNS_EARLY && c.options.early_return_allowed && time < t + h;
    Ok(Reached { event: false, terminate: true, early })
}
