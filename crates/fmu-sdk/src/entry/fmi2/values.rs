//! Reading and setting variables.

use std::mem::MaybeUninit;

use fmi2::{Function, ffi};

use crate::component::{Component, both, guard_quick, slice, slice_mut, text};
use crate::declaration::Base;
use crate::entry::shared::{self, c_string, guarded};
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
            // SAFETY: the importer passes `n` value references.
            let references = unsafe { slice(references, n) };
            // SAFETY: the importer passes memory for `n` values.
            let values = unsafe { slice_mut(values, n) };
            let put = |to: &mut MaybeUninit<$c>, value: $base| _ = to.write(value.into());
            // SAFETY: the importer passes one of its instances.
            unsafe {
                guard_quick(
                    component,
                    Function::$get_function,
                    both(references, values),
                    |c: &mut Component<M>, (references, values)| read(c, references, values, put),
                    |c, (references, values)| get(c, references, values, put),
                )
            }
        }

        #[doc = concat!("`fmi2", stringify!($set_function), "`", $note, ".")]
        pub unsafe extern "C" fn $set<M: Model>(
            component: ffi::Component,
            references: *const ffi::ValueReference,
            n: usize,
            values: *const $c,
        ) -> ffi::RawStatus {
            // SAFETY: the importer passes `n` value references.
            let references = unsafe { slice(references, n) };
            // SAFETY: the importer passes `n` values.
            let values = unsafe { slice(values, n) };
            // SAFETY: the importer passes one of its instances.
            unsafe {
                guard_quick(
                    component,
                    Function::$set_function,
                    both(references, values),
                    |c: &mut Component<M>, (references, values)| write::<M, $base, _>(c, references, values, $from_c),
                    |c, (references, values)| set::<M, $base, _>(c, references, values, $from_c),
                )
            }
        }
    )*};
}

numbers! {
    get_real set_real: GetReal SetReal, f64, ffi::Real, Ok, "";
    get_integer set_integer: GetInteger SetInteger, i32, ffi::Integer, Ok, ", also for Enumeration variables";
    get_boolean set_boolean: GetBoolean SetBoolean, bool, ffi::Boolean, |value| Ok(value != ffi::FALSE), "";
}

guarded! { guard: "fmi2", ffi::Component;
    /// The strings stay valid until the next `fmi2GetString` on the instance.
    get_string: GetString(|c| references: *const ffi::ValueReference, n: usize, values: *mut ffi::FmiString) {
        // SAFETY: the importer passes `n` value references.
        let references = unsafe { slice(references, n) }?;
        // SAFETY: the importer passes memory for `n` values.
        let values = unsafe { slice_mut(values, n) }?;
        let mut strings = vec![None; references.len()];
        get::<M, String, _>(c, references, &mut strings, |to, value| *to = Some(c_string(value)))?;
        c.strings = strings.into_iter().flatten().collect();
        for (to, string) in values.iter_mut().zip(&c.strings) {
            to.write(string.as_ptr());
        }
        Ok(())
    }

    /// The strings are copied.
    set_string: SetString(|c| references: *const ffi::ValueReference, n: usize, values: *const ffi::FmiString) {
        // SAFETY: the importer passes `n` value references.
        let references = unsafe { slice(references, n) }?;
        // SAFETY: the importer passes `n` strings.
        let values = unsafe { slice(values, n) }?;
        set::<M, String, _>(c, references, values, |value| {
            // SAFETY: NULL, or a string that lives during the call.
            let value = unsafe { text(value) }.ok_or_else(|| Refusal::error("a string value is NULL"))?;
            Ok(value.to_string_lossy().into_owned())
        })
    }
}

// `read` and `write` are for ready instances, `get` and `set` for all.

fn get<M: Model, T: Base, P>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    places: &mut [P],
    put: impl Fn(&mut P, T) + Copy,
) -> Result<(), Refusal> {
    c.state.refresh()?;
    read(c, references, places, put)
}

#[inline]
fn read<M: Model, T: Base, P>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    places: &mut [P],
    put: impl Fn(&mut P, T) + Copy,
) -> Result<(), Refusal> {
    match (references, places) {
        ([reference], [place]) => read_one(c, *reference, place, put),
        (references, places) => read_all(c, references, places, put),
    }
}

/// Apart from [`read`], which is then short for one value.
#[inline(never)]
fn read_all<M: Model, T: Base, P>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    places: &mut [P],
    put: impl Fn(&mut P, T) + Copy,
) -> Result<(), Refusal> {
    for (reference, place) in references.iter().zip(places) {
        read_one(c, *reference, place, put)?;
    }
    Ok(())
}

#[inline]
fn read_one<M: Model, T: Base, P>(
    c: &mut Component<M>,
    reference: ffi::ValueReference,
    place: &mut P,
    put: impl Fn(&mut P, T),
) -> Result<(), Refusal> {
    put(place, shared::read(c, reference as usize).ok_or_else(|| unknown::<T>(reference))?);
    Ok(())
}

fn set<M: Model, T: Base, V: Copy>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    values: &[V],
    convert: impl Fn(V) -> Result<T, Refusal> + Copy,
) -> Result<(), Refusal> {
    write(c, references, values, convert)?;
    if c.state.run.is_before_first_step() {
        c.state.run.stale = true;
    }
    Ok(())
}

#[inline]
fn write<M: Model, T: Base, V: Copy>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    values: &[V],
    convert: impl Fn(V) -> Result<T, Refusal> + Copy,
) -> Result<(), Refusal> {
    match (references, values) {
        ([reference], [value]) => write_one(c, *reference, *value, convert)?,
        (references, values) => write_all(c, references, values, convert)?,
    }
    if M::HAS_EVENTS {
        c.state.run.is_update_due = true;
    }
    Ok(())
}

/// Apart from [`write`], which is then short for one value.
#[inline(never)]
fn write_all<M: Model, T: Base, V: Copy>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    values: &[V],
    convert: impl Fn(V) -> Result<T, Refusal> + Copy,
) -> Result<(), Refusal> {
    for (reference, value) in references.iter().zip(values) {
        write_one(c, *reference, *value, convert)?;
    }
    Ok(())
}

#[inline]
fn write_one<M: Model, T: Base, V>(
    c: &mut Component<M>,
    reference: ffi::ValueReference,
    value: V,
    convert: impl Fn(V) -> Result<T, Refusal>,
) -> Result<(), Refusal> {
    let at = reference as usize;
    let setter = T::table(&c.declared.tables).setters.get(at).ok_or_else(|| unknown::<T>(reference))?;
    shared::set_scalar(c, at, setter, convert(value)?)
}

#[cold]
fn unknown<T: Base>(reference: ffi::ValueReference) -> Refusal {
    Refusal::error(format!("no {} variable has the value reference {reference}", T::NAME))
}
