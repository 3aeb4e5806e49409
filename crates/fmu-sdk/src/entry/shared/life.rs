//! The life cycle of an instance.

use std::ffi::{CStr, c_char, c_void};

use lotka_instance::Phase;

use crate::component::{Component, isolate, slice, text};
use crate::declaration::Declared;
use crate::{Error, Model, Refusal};

/// Refuses an instance whose name is missing or blank, whose identifier is another one, or whose declaration is invalid.
///
/// `kind` is what the version calls the identifier.
pub(crate) fn refuse_unfit<M: Model>(
    declared: &Declared<M>,
    name: Option<&CStr>,
    (kind, expected, found): (&str, &str, Option<&CStr>),
    mut problems: impl Iterator<Item = Error>,
) -> Result<(), Refusal> {
    if name.is_none_or(|name| name.to_bytes().trim_ascii().is_empty()) {
        return Err(Refusal::error("the instance name is missing or blank"));
    }
    if found.is_none_or(|found| found.to_bytes() != expected.as_bytes()) {
        let found = found.map_or(format!("no {kind}").into(), CStr::to_string_lossy);
        return Err(Refusal::error(format!(
            "expected the {kind} {expected} of this library, found {found}; the library and modelDescription.xml do not match"
        )));
    }
    match declared.problems.first().cloned().or_else(|| problems.next()) {
        Some(problem) => Err(Refusal::error(format!("the model declaration is invalid: {problem}"))),
        None => Ok(()),
    }
}

/// Frees an instance.
///
/// # Safety
/// As for [`Component::free`].
pub(crate) unsafe fn free<M: Model>(instance: *mut c_void) {
    // A model that panics when it is dropped must not crash the importer, and there is no receiver for a message.
    let _ = isolate(|| {
        // SAFETY: passed on.
        unsafe { Component::<M>::free(instance) }
    });
}

/// Switches log categories; none means all of them.
///
/// # Safety
/// `categories` points to `n` strings that live during the call.
pub(crate) unsafe fn set_debug_logging<M: Model>(
    c: &mut Component<M>,
    on: bool,
    n: usize,
    categories: *const *const c_char,
) -> Result<(), Refusal> {
    // SAFETY: passed on.
    let categories = unsafe { slice(categories, n) }?;
    if categories.is_empty() {
        c.logger.switch_all(on);
    } else {
        // SAFETY: NULL, or strings that live during the call.
        c.logger.switch(on, categories.iter().filter_map(|name| unsafe { text(*name) }));
    }
    Ok(())
}

/// Ends initialization. Unless event mode follows, events at the start are handled.
pub(crate) fn exit_initialization<M: Model>(c: &mut Component<M>, next: Phase) -> Result<(), Refusal> {
    c.state.refresh()?;
    if M::HAS_EVENTS && next != Phase::Event {
        c.state.update(c.state.run.time).map_err(Refusal::into_error)?;
    }
    c.state.run.phase = next;
    c.logger.event(&format!("initialized at {} s", c.state.run.time));
    Ok(())
}

/// Ends the simulation. Final values stay readable.
pub(crate) fn terminate<M: Model>(c: &mut Component<M>) {
    c.state.run.phase = Phase::Terminated;
    c.logger.event(&format!("terminated at {} s", c.state.run.time));
}
