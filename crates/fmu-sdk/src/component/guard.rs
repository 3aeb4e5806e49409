//! The only entry into an instance.

use std::any::Any;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use lotka_instance::{Phase, Status};

use super::{Called, Component};
use crate::{Model, Refusal};

/// Runs the body of an exported function on the instance: checks the pointer and the call order, catches panics, and logs
/// failures.
///
/// # Safety
/// As for [`Component::from_raw`].
#[inline]
pub(crate) unsafe fn guard<M: Model, F: Called>(
    pointer: *mut c_void,
    function: F,
    mut body: impl FnMut(&mut Component<M>) -> Result<(), Refusal>,
) -> c_int {
    // SAFETY: passed on.
    unsafe { guard_unready(pointer, function, &mut body) }
}

/// Same as [`guard`], for functions that importers call between all steps.
///
/// # Safety
/// As for [`Component::from_raw`].
#[inline]
pub(crate) unsafe fn guard_often<M: Model, F: Called>(
    pointer: *mut c_void,
    function: F,
    body: impl Fn(&mut Component<M>) -> Result<(), Refusal>,
) -> c_int {
    // SAFETY: passed on.
    unsafe { guard_arrays(pointer, function, Ok(()), |component, _| body(component)) }
}

/// Same as [`guard_often`], for a body that needs arrays of the importer. They are checked before, while they are still in
/// registers; a refusal is that of the call.
///
/// # Safety
/// As for [`Component::from_raw`].
#[inline]
pub(crate) unsafe fn guard_arrays<M: Model, F: Called, A>(
    pointer: *mut c_void,
    function: F,
    arrays: Result<A, Refusal>,
    body: impl Fn(&mut Component<M>, &mut A) -> Result<(), Refusal>,
) -> c_int {
    // SAFETY: passed on.
    unsafe { guard_quick(pointer, function, arrays, &body, &body) }
}

/// Same as [`guard_arrays`], with a body of its own for instances that are [ready](Component::ready). What is called once is
/// compiled into its caller: such a call takes some 50 instructions.
///
/// # Safety
/// As for [`Component::from_raw`].
#[inline]
pub(crate) unsafe fn guard_quick<M: Model, F: Called, A>(
    pointer: *mut c_void,
    function: F,
    arrays: Result<A, Refusal>,
    body_of_ready: impl FnOnce(&mut Component<M>, &mut A) -> Result<(), Refusal>,
    body: impl Fn(&mut Component<M>, &mut A) -> Result<(), Refusal>,
) -> c_int {
    let mut arrays = match arrays {
        Ok(arrays) => arrays,
        Err(refusal) => {
            let mut refusal = Some(refusal);
            let mut refuse = |_: &mut Component<M>| refusal.take().map_or(Ok(()), Err);
            // SAFETY: passed on.
            return unsafe { guard_unready(pointer, function, &mut refuse) };
        }
    };
    if function.is_allowed_in(Phase::StepComplete) && function.keeps_mark() {
        // SAFETY: passed on.
        if let Some(component) = unsafe { Component::<M>::ready(pointer) } {
            return guard_ready(component, function, |component| body_of_ready(component, &mut arrays));
        }
    }
    // SAFETY: passed on.
    unsafe { guard_unready(pointer, function, &mut |component: &mut Component<M>| body(component, &mut arrays)) }
}

/// The guard of an instance that is [ready](Component::ready) for `function`. The body should borrow what it needs: memory that
/// was just written is read fastest in the same portions.
#[inline]
pub(crate) fn guard_ready<M: Model, F: Called>(
    component: &mut Component<M>,
    function: F,
    body: impl FnOnce(&mut Component<M>) -> Result<(), Refusal>,
) -> c_int {
    match catch(component, body) {
        Ok(()) => Status::Ok as c_int,
        failure => component.conclude(function, failure),
    }
}

/// The body of a function. With a trait of its own, it is compiled once; as a `dyn FnMut`, it would be so again for `FnOnce`.
trait Body<M: Model> {
    fn run(&mut self, component: &mut Component<M>) -> Result<(), Refusal>;
}

impl<M: Model, F: FnMut(&mut Component<M>) -> Result<(), Refusal>> Body<M> for F {
    #[inline]
    fn run(&mut self, component: &mut Component<M>) -> Result<(), Refusal> {
        self(component)
    }
}

/// The guard of instances that are not ready, and of functions that change the phase: one for all bodies. One for each was a
/// tenth of the code of an FMU.
///
/// # Safety
/// As for [`Component::from_raw`].
#[cold]
#[inline(never)]
unsafe fn guard_unready<M: Model, F: Called>(pointer: *mut c_void, function: F, body: &mut dyn Body<M>) -> c_int {
    if function.serves_intermediate_update() {
        // SAFETY: passed on.
        if let Some(component) = unsafe { Component::<M>::asking(pointer) } {
            return guard_ready(component, function, |component| body.run(component));
        }
    }
    // SAFETY: passed on.
    let Some(component) = (unsafe { Component::<M>::from_raw(pointer) }) else {
        return Status::Error as c_int;
    };
    let outcome = if component.allows(function) {
        catch(component, |component| body.run(component))
    } else {
        Err(component.out_of_order::<F>())
    };
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
    body: impl FnOnce(&mut Component<M>) -> Result<(), Refusal>,
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
