//! Reading and setting variables.

use std::ffi::CString;

use fmi2::{Function, ffi};
use lotka_instance::Phase;

use crate::component::{Component, guard, slice, slice_mut, text};
use crate::declaration::{Access, Base, Declared};
use crate::{Model, Refusal};

macro_rules! numbers {
    ($($get:ident $set:ident: $get_function:ident $set_function:ident, $base:ty, $c:ty, $from_c:expr, $note:literal;)*) => {$(
        #[doc = concat!("`fmi2", stringify!($get_function), "`", $note, ".")]
        pub unsafe extern "C" fn $get<M: Model>(
            component: ffi::Component,
            references: *const ffi::ValueReference,
            n: usize,
            values: *mut $c,
        ) -> ffi::RawStatus {
            let body = |c: &mut Component<M>| {
                // SAFETY: the importer passes `n` value references.
                let references = unsafe { slice(references, n) }?;
                // SAFETY: the importer passes memory for `n` values.
                let mut values = unsafe { slice_mut(values, n) }?.iter_mut();
                get::<M, $base>(c, references, |value| {
                    if let Some(to) = values.next() {
                        to.write(<$c>::from(value));
                    }
                })
            };
            // SAFETY: the importer passes one of its instances.
            unsafe { guard(component, Function::$get_function, body) }
        }

        #[doc = concat!("`fmi2", stringify!($set_function), "`", $note, ".")]
        pub unsafe extern "C" fn $set<M: Model>(
            component: ffi::Component,
            references: *const ffi::ValueReference,
            n: usize,
            values: *const $c,
        ) -> ffi::RawStatus {
            let body = |c: &mut Component<M>| {
                // SAFETY: the importer passes `n` value references.
                let references = unsafe { slice(references, n) }?;
                // SAFETY: the importer passes `n` values.
                let values = unsafe { slice(values, n) }?;
                set::<M, $base>(c, references, values.iter().copied().map($from_c))
            };
            // SAFETY: the importer passes one of its instances.
            unsafe { guard(component, Function::$set_function, body) }
        }
    )*};
}

numbers! {
    get_real set_real: GetReal SetReal, f64, ffi::Real, Ok, "";
    get_integer set_integer: GetInteger SetInteger, i32, ffi::Integer, Ok, ", also for Enumeration variables";
    get_boolean set_boolean: GetBoolean SetBoolean, bool, ffi::Boolean, |value| Ok(value != ffi::FALSE), "";
}

/// `fmi2GetString`; the strings stay valid until the next `fmi2GetString` on the instance.
pub unsafe extern "C" fn get_string<M: Model>(
    component: ffi::Component,
    references: *const ffi::ValueReference,
    n: usize,
    values: *mut ffi::FmiString,
) -> ffi::RawStatus {
    let body = |c: &mut Component<M>| {
        // SAFETY: the importer passes `n` value references.
        let references = unsafe { slice(references, n) }?;
        // SAFETY: the importer passes memory for `n` values.
        let values = unsafe { slice_mut(values, n) }?;
        let mut strings = Vec::with_capacity(n);
        get::<M, String>(c, references, |value| strings.push(c_string(value)))?;
        c.strings = strings;
        for (to, string) in values.iter_mut().zip(&c.strings) {
            to.write(string.as_ptr());
        }
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::GetString, body) }
}

/// `fmi2SetString`; the strings are copied.
pub unsafe extern "C" fn set_string<M: Model>(
    component: ffi::Component,
    references: *const ffi::ValueReference,
    n: usize,
    values: *const ffi::FmiString,
) -> ffi::RawStatus {
    let body = |c: &mut Component<M>| {
        // SAFETY: the importer passes `n` value references.
        let references = unsafe { slice(references, n) }?;
        // SAFETY: the importer passes `n` strings.
        let values = unsafe { slice(values, n) }?;
        let copied = values.iter().map(|value| {
            // SAFETY: NULL, or a string that lives during the call.
            let value = unsafe { text(*value) }.ok_or_else(|| Refusal::error("a string value is NULL"))?;
            Ok(value.to_string_lossy().into_owned())
        });
        set::<M, String>(c, references, copied)
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::SetString, body) }
}

#[inline]
fn get<M: Model, T: Base>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    mut put: impl FnMut(T),
) -> Result<(), Refusal> {
    if c.state.run.stale {
        c.state.refresh()?;
    }
    let table = T::table(&c.declared.tables);
    for &reference in references {
        let access = table.get(reference as usize).ok_or_else(|| unknown::<T>(reference))?;
        put((access.get)(&mut c.state.model));
    }
    Ok(())
}

#[inline]
fn set<M: Model, T: Base>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    values: impl Iterator<Item = Result<T, Refusal>>,
) -> Result<(), Refusal> {
    let phase = c.state.run.phase;
    let table = T::table(&c.declared.tables);
    for (&reference, value) in references.iter().zip(values) {
        let access = table.get(reference as usize).ok_or_else(|| unknown::<T>(reference))?;
        let value = value?;
        let setter = access.set.as_ref().filter(|_| access.settable.allows(phase));
        let setter = setter.ok_or_else(|| not_settable(c.declared, access, phase))?;
        if access.checked {
            check(c.declared, access, &value)?;
        }
        if !setter(&mut c.state.model, value) {
            return Err(no_such_item(c.declared, access));
        }
    }
    c.state.run.stale |= matches!(phase, Phase::Instantiated | Phase::Initialization);
    Ok(())
}

fn check<M: Model, T: Base>(declared: &Declared<M>, access: &Access<M, T>, value: &T) -> Result<(), Refusal> {
    let variable = &declared.description.variables[access.variable];
    value
        .check(&variable.kind)
        .map_err(|why| Refusal::discard(format!("the start value of `{}` is not set: {why}", variable.name)))
}

#[cold]
fn unknown<T: Base>(reference: ffi::ValueReference) -> Refusal {
    Refusal::error(format!("no {} variable has the value reference {reference}", T::NAME))
}

#[cold]
fn not_settable<M: Model, T: Base>(declared: &Declared<M>, access: &Access<M, T>, phase: Phase) -> Refusal {
    Refusal::error(format!("variable `{}` cannot be set in phase `{phase}`", declared.name_of(access)))
}

#[cold]
fn no_such_item<M: Model, T: Base>(declared: &Declared<M>, access: &Access<M, T>) -> Refusal {
    Refusal::discard(format!("variable `{}` is not set: its enumeration has no item with this value", declared.name_of(access)))
}

/// The text up to its first NUL, where it ends for C anyway.
fn c_string(text: String) -> CString {
    let mut bytes = text.into_bytes();
    bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
    CString::new(bytes).unwrap_or_default()
}
