//! Inputs that the importer sets during a step.

use std::ffi::c_void;

use fmi3::Function;
use lotka_instance::Phase;

use crate::Model;
use crate::component::{Component, IntermediateUpdate, POINTS, isolate};

/// Asks the importer for inputs over the step from `t` with size `h`, if it sets any. Returns whether it did; a copy of the state
/// before is then kept.
///
/// # Safety
/// As for [`Component::from_raw`]; there is no reference to the instance.
pub(super) unsafe fn update_inputs<M: Model>(instance: *mut c_void, t: f64, h: f64) -> bool {
    // SAFETY: passed on.
    let Some(c) = (unsafe { Component::<M>::from_raw(instance) }) else { return false };
    let Some(update) = &c.options.intermediate_update else { return false };
    let is_ready = c.state.run.phase == Phase::StepComplete && c.state.run.check_step(t, h).is_ok();
    let (callback, environment) = (update.callback, update.environment);
    if is_ready {
        // SAFETY: the importer keeps the callback callable as long as the instance lives, and there is no reference to the
        // instance.
        let call = |time| unsafe { IntermediateUpdate::call(callback, environment, time) };
        // SAFETY: passed on; the references above are not used again.
        unsafe { ask::<M>(instance, call, t, h) };
    }
    is_ready
}

/// # Safety
/// As for [`update_inputs`], and `call` may be called.
unsafe fn ask<M: Model>(instance: *mut c_void, call: impl Fn(f64), t: f64, h: f64) {
    // SAFETY: passed on.
    unsafe { attempt::<M>(instance, Component::begin_inputs) };
    for point in 0..POINTS {
        let is_last = point == POINTS - 1;
        call(if is_last { t + h } else { t + h * point as f64 / (POINTS - 1) as f64 });
        // SAFETY: passed on.
        unsafe { attempt::<M>(instance, |c| c.sample_inputs(point)) };
    }
    // SAFETY: passed on.
    unsafe { attempt::<M>(instance, |c| c.end_inputs(h)) };
}

/// Does something to the instance, unless a call of the importer failed meanwhile; a panic is an error of the step.
///
/// # Safety
/// As for [`update_inputs`].
unsafe fn attempt<M: Model>(instance: *mut c_void, body: impl FnOnce(&mut Component<M>)) {
    // SAFETY: passed on.
    let Some(c) = (unsafe { Component::<M>::from_raw(instance) }) else { return };
    if c.state.run.phase == Phase::Error {
        return;
    }
    if let Err(refusal) = isolate(|| body(c)) {
        c.conclude(Function::DoStep, Err(refusal));
    }
}
