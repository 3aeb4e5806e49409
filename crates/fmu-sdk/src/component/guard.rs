//! The only entry into an instance.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fmi2::{Function, ffi};
use lotka_instance::{Phase, Status};

use super::{Component, instance::keeps_mark};
use crate::{Model, Refusal};

/// Runs the body of an exported function on the instance: checks the pointer and the call order, catches panics, and logs failures.
///
/// # Safety
/// As for [`Component::from_raw`].
#[inline]
pub(crate) unsafe fn guard<M: Model>(
    pointer: ffi::Component,
    function: Function,
    body: impl Fn(&mut Component<M>) -> Result<(), Refusal>,
) -> ffi::RawStatus {
    // SAFETY: passed on.
    unsafe { guard_arrays(pointer, function, true, body) }
}

/// Same as [`guard`], for a body that checks arrays first. If `fit` says that they pass, the compiler drops these checks from the code for ready
/// instances, so that reading or setting one value takes about 50 instructions.
///
/// # Safety
/// As for [`Component::from_raw`].
#[inline]
pub(crate) unsafe fn guard_arrays<M: Model>(
    pointer: ffi::Component,
    function: Function,
    fit: bool,
    body: impl Fn(&mut Component<M>) -> Result<(), Refusal>,
) -> ffi::RawStatus {
    if fit && function.allowed_in(Phase::StepComplete) && keeps_mark(function) {
        // SAFETY: passed on.
        if let Some(component) = unsafe { Component::<M>::ready(pointer) } {
            return match catch(component, &body) {
                Ok(()) => Status::Ok as ffi::RawStatus,
                failure => component.conclude(function, failure),
            };
        }
    }
    // SAFETY: passed on.
    unsafe { guard_unready(pointer, function, body) }
}

/// The guard of instances that are not ready, and of functions that change the phase.
///
/// # Safety
/// As for [`Component::from_raw`].
#[cold]
#[inline(never)]
unsafe fn guard_unready<M: Model>(
    pointer: ffi::Component,
    function: Function,
    body: impl Fn(&mut Component<M>) -> Result<(), Refusal>,
) -> ffi::RawStatus {
    // SAFETY: passed on.
    let Some(component) = (unsafe { Component::<M>::from_raw(pointer) }) else {
        return Status::Error as ffi::RawStatus;
    };
    let outcome = if component.allows(function) { catch(component, &body) } else { Err(component.out_of_order()) };
    component.conclude(function, outcome)
}

/// Runs the body; a panic becomes a refusal.
#[inline]
fn catch<M: Model>(
    component: &mut Component<M>,
    body: &impl Fn(&mut Component<M>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    catch_unwind(AssertUnwindSafe(|| body(component))).unwrap_or_else(|payload| Err(panicked(payload)))
}

/// Runs a function without an instance for logging; a panic becomes a refusal with its message.
pub(crate) fn isolate<T>(body: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(body)).map_err(panicked)
}

/// Returns the message of a panic. Dropping a payload may panic again; the rest is then leaked.
#[cold]
fn panicked(payload: Box<dyn Any + Send>) -> Refusal {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let refusal = Refusal::error(format!("the model panicked: {}", text.unwrap_or("without a message")));
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
    refusal
}
