//! Writing variables: the rules that hold in both versions.

use std::ffi::CString;

use fmi3::description::Causality;
use lotka_instance::Phase;

use crate::component::{Component, Run};
use crate::declaration::{Array, Base, Settable, Setter, Variable, Write};
use crate::{Model, Refusal};

/// Reads a scalar of a table.
#[inline]
pub(crate) fn read<M: Model, T: Base>(c: &mut Component<M>, at: usize) -> Option<T> {
    T::table(&c.declared.tables).getters.get(at).map(|get| get.call(&mut c.state.model, ()))
}

/// Sets a scalar of a table, which must exist.
#[inline]
pub(crate) fn set_scalar<M: Model, T: Base>(
    c: &mut Component<M>,
    at: usize,
    setter: &Setter<Write<M, T>>,
    value: T,
) -> Result<(), Refusal> {
    match setter {
        Setter { settable: Settable::Input, write: Some(write) } => {
            if write.call(&mut c.state.model, value) {
                Ok(())
            } else {
                Err(no_such_scalar::<M, T>(c, at))
            }
        }
        setter => set_checked_scalar(c, at, setter, value),
    }
}

#[cold]
#[inline(never)]
fn no_such_scalar<M: Model, T: Base>(c: &Component<M>, at: usize) -> Refusal {
    no_such_value(c.declared.scalar::<T>(at))
}

#[cold]
#[inline(never)]
fn set_checked_scalar<M: Model, T: Base>(
    c: &mut Component<M>,
    at: usize,
    setter: &Setter<Write<M, T>>,
    value: T,
) -> Result<(), Refusal> {
    set_checked(c, c.declared.scalar::<T>(at), setter, value, |write, model, value| write.call(model, value))
}

/// Sets an element of an array.
pub(crate) fn set_element<M: Model, T: Base>(
    c: &mut Component<M>,
    array: &Array<M, T>,
    element: usize,
    value: T,
) -> Result<(), Refusal> {
    let target = (&c.declared.variables[array.variable], element);
    set_checked(c, target, &array.setter, value, |write, model, value| write.call(model, (element, value)))
}

/// Sets a variable that may be set in some phases only, and only to values between minimum and maximum, unless it is an input.
#[cold]
fn set_checked<M: Model, T: Base, W>(
    c: &mut Component<M>,
    target: (&Variable, usize),
    setter: &Setter<W>,
    value: T,
    write: impl Fn(&W, &mut M, T) -> bool,
) -> Result<(), Refusal> {
    refuse_unsettable(target, setter.settable, &c.state.run)?;
    let write_to = setter.write.as_ref().ok_or_else(|| not_settable(target, c.state.run.phase))?;
    if setter.settable != Settable::Input {
        value.check(target.0).map_err(|why| not_set(target, &why))?;
    }
    if write(write_to, &mut c.state.model, value) { Ok(()) } else { Err(no_such_value(target)) }
}

/// Refuses a variable that may not be set at present.
fn refuse_unsettable(target: (&Variable, usize), settable: Settable, run: &Run) -> Result<(), Refusal> {
    if target.0.causality == Causality::StructuralParameter && !run.configuring {
        return Err(structural(target));
    }
    if settable.in_phase(run.phase) { Ok(()) } else { Err(not_settable(target, run.phase)) }
}

#[cold]
fn not_set((variable, element): (&Variable, usize), why: &str) -> Refusal {
    Refusal::discard(format!("the start value of `{}` is not set: {why}", variable.element_name(element)))
}

#[cold]
fn structural((variable, _): (&Variable, usize)) -> Refusal {
    Refusal::error(format!("the structural parameter `{}` can be set in configuration mode only", variable.name))
}

#[cold]
fn not_settable((variable, element): (&Variable, usize), phase: Phase) -> Refusal {
    Refusal::error(format!("variable `{}` cannot be set in phase `{phase}`", variable.element_name(element)))
}

#[cold]
fn no_such_value((variable, element): (&Variable, usize)) -> Refusal {
    let name = variable.element_name(element);
    Refusal::discard(if variable.enumeration.is_some() {
        format!("variable `{name}` is not set: its enumeration has no item with this value")
    } else {
        format!("variable `{name}` is not set: its type {} has no such value", variable.element.name())
    })
}

/// The text up to its first NUL, where it ends for C anyway.
pub(crate) fn c_string(text: String) -> CString {
    let mut bytes = text.into_bytes();
    bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
    CString::new(bytes).unwrap_or_default()
}
