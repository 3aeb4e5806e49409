//! The only entry into an instance.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fmi2::{Function, ffi};
use lotka_instance::Status;

use super::Component;
use crate::{Model, Refusal};

/// Runs the body of an exported function on the instance: checks the pointer and the call order, catches panics, and logs failures.
///
/// # Safety
/// As for [`Component::from_raw`].
#[inline]
pub(crate) unsafe fn guard<M: Model>(
    component: ffi::Component,
    function: Function,
    body: impl FnOnce(&mut Component<M>) -> Result<(), Refusal>,
) -> ffi::RawStatus {
    // SAFETY: passed on.
    let Some(component) = (unsafe { Component::<M>::from_raw(component) }) else {
        return Status::Error as ffi::RawStatus;
    };
    let outcome =
        catch_unwind(AssertUnwindSafe(
            || {
                if component.allows(function) { body(component) } else { Err(component.out_of_order()) }
            },
        ));
    let is_warned = component.deliver_log();
    match outcome {
        Ok(Ok(())) if is_warned => Status::Warning as ffi::RawStatus,
        Ok(Ok(())) => Status::Ok as ffi::RawStatus,
        Ok(Err(refusal)) => component.refuse(function, &refusal),
        Err(payload) => component.refuse(function, &panicked(payload)),
    }
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
