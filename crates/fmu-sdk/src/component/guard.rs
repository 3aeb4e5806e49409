//! The one way into an instance.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fmi2::{Function, ffi};
use lotka_instance::Status;

use super::Component;
use crate::{Model, Refusal};

/// Runs the body of an exported function on the instance: pointer checked, call order checked, panics caught, failures logged.
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

/// Runs what has no instance to log through; a panic becomes its message.
pub(crate) fn isolate<T>(body: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(body)).map_err(panicked)
}

/// The message of a panic. Dropping a payload may panic again; what that leaves behind is leaked.
#[cold]
fn panicked(payload: Box<dyn Any + Send>) -> Refusal {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let refusal = Refusal::error(format!("the model panicked: {}", text.unwrap_or("without a message")));
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
    refusal
}
