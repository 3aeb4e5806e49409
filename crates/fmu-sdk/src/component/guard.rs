//! The only entry into an instance.

use std::any::Any;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use lotka_instance::{Phase, Status};

use super::{Called, Component};
use crate::{Model, Refusal};

/// Runs the body of an exported function on the instance: checks the pointer and the call order, catches panics, and logs failures.
///
/// # Safety
/// As for [`Component::from_raw`].
#[inline]
pub(crate) unsafe fn guard<M: Model, F: Called>(
    pointer: *mut c_void,
    function: F,
    body: impl Fn(&mut Component<M>) -> Result<(), Refusal>,
) -> c_int {
    // SAFETY: passed on.
    unsafe { guard_arrays(pointer, function, true, body) }
}

/// Same as [`guard`], for a body that checks arrays first. If `fit` says that they pass, the compiler drops these checks from the code for ready
/// instances, so that reading or setting one value takes about 50 instructions.
///
/// # Safety
/// As for [`Component::from_raw`].
#[inline]
pub(crate) unsafe fn guard_arrays<M: Model, F: Called>(
    pointer: *mut c_void,
    function: F,
    fit: bool,
    body: impl Fn(&mut Component<M>) -> Result<(), Refusal>,
) -> c_int {
    if fit && function.is_allowed_in(Phase::StepComplete) && function.keeps_mark() {
        // SAFETY: passed on.
        if let Some(component) = unsafe { Component::<M>::ready(pointer) } {
            return match catch(component, &body) {
                Ok(()) => Status::Ok as c_int,
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
unsafe fn guard_unready<M: Model, F: Called>(
    pointer: *mut c_void,
    function: F,
    body: impl Fn(&mut Component<M>) -> Result<(), Refusal>,
) -> c_int {
    // SAFETY: passed on.
    let Some(component) = (unsafe { Component::<M>::from_raw(pointer) }) else {
        return Status::Error as c_int;
    };
    let outcome = if component.allows(function) { catch(component, &body) } else { Err(component.out_of_order::<F>()) };
    component.conclude(function, outcome)
}

/// Refuses a call of a function that the FMU does not have.
///
/// # Safety
/// As for [`Component::from_raw`].
#[cold]
pub(crate) unsafe fn refuse<M: Model, F: Called>(pointer: *mut c_void, function: F, why: &str) -> c_int {
    // SAFETY: passed on.
    match unsafe { Component::<M>::from_raw(pointer) } {
        Some(component) => component.conclude(function, Err(Refusal::error(why))),
        None => Status::Error as c_int,
    }
}

/// Runs the body; a panic becomes a refusal.
#[inline]
fn catch<M: Model>(
    component: &mut Component<M>,
    body: &impl Fn(&mut Component<M>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    catch_unwind(AssertUnwindSafe(|| body(component))).unwrap_or_else(|payload| Err(panicked(payload)))
}

/// Runs a function outside of the guard; a panic becomes a refusal with its message.
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
