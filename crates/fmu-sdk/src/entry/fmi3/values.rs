//! Reading and setting numbers and Booleans, and the walk over scalars and arrays that all types share.

use std::mem::MaybeUninit;

use fmi3::{Function, ffi};
use lotka_instance::Phase;

use super::families::{self, Family};
use crate::component::{Component, both, guard_quick, slice, slice_mut};
use crate::declaration::{Referenced, TIME};
use crate::{Model, Refusal};

macro_rules! numbers {
    ($($get:ident $set:ident: $get_function:ident $set_function:ident, $family:ident, $c:ident;)*) => {$(
        #[doc = concat!("`fmi3", stringify!($get_function), "`.")]
        pub unsafe extern "C" fn $get<M: Model>(
            instance: ffi::Instance,
            references: *const ffi::ValueReference,
            n: usize,
            values: *mut ffi::$c,
            n_values: usize,
        ) -> ffi::RawStatus {
            // SAFETY: the importer passes `n` value references.
            let references = unsafe { slice(references, n) };
            // SAFETY: the importer passes memory for `n_values` values.
            let values = unsafe { slice_mut(values, n_values) };
            let put = |to: &mut MaybeUninit<_>, value| _ = to.write(value);
            // SAFETY: the importer passes one of its instances.
            unsafe {
                guard_quick(
                    instance,
                    Function::$get_function,
                    both(references, values),
                    |c: &mut Component<M>, (references, values)| read::<M, families::$family, _>(c, references, values, put),
                    |c, (references, values)| get::<M, families::$family, _>(c, references, values, put),
                )
            }
        }

        #[doc = concat!("`fmi3", stringify!($set_function), "`.")]
        pub unsafe extern "C" fn $set<M: Model>(
            instance: ffi::Instance,
            references: *const ffi::ValueReference,
            n: usize,
            values: *const ffi::$c,
            n_values: usize,
        ) -> ffi::RawStatus {
            // SAFETY: the importer passes `n` value references.
            let references = unsafe { slice(references, n) };
            // SAFETY: the importer passes `n_values` values.
            let values = unsafe { slice(values, n_values) };
            // SAFETY: the importer passes one of its instances.
            unsafe {
                guard_quick(
                    instance,
                    Function::$set_function,
                    both(references, values),
                    |c: &mut Component<M>, (references, values)| write::<M, families::$family>(c, references, values),
                    |c, (references, values)| set::<M, families::$family>(c, references, values),
                )
            }
        }
    )*};
}

numbers! {
    get_float64 set_float64: GetFloat64 SetFloat64, Float64, Float64;
    get_float32 set_float32: GetFloat32 SetFloat32, Float32, Float32;
    get_int8 set_int8: GetInt8 SetInt8, Int8, Int8;
    get_uint8 set_uint8: GetUInt8 SetUInt8, UInt8, UInt8;
    get_int16 set_int16: GetInt16 SetInt16, Int16, Int16;
    get_uint16 set_uint16: GetUInt16 SetUInt16, UInt16, UInt16;
    get_int32 set_int32: GetInt32 SetInt32, Int32, Int32;
    get_uint32 set_uint32: GetUInt32 SetUInt32, UInt32, UInt32;
    get_int64 set_int64: GetInt64 SetInt64, Int64, Int64;
    get_uint64 set_uint64: GetUInt64 SetUInt64, UInt64, UInt64;
    get_boolean set_boolean: GetBoolean SetBoolean, Boolean, Boolean;
}

// `read` and `write` are for ready instances, `get` and `set` for all.

/// Reads variables into places, one for each scalar and each element of an array.
pub(super) fn get<M: Model, F: Family, P>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    places: &mut [P],
    put: impl Fn(&mut P, F::C) + Copy,
) -> Result<(), Refusal> {
    c.state.refresh()?;
    read::<M, F, P>(c, references, places, put)
}

/// Same as [`get`], of an instance all of whose values are computed.
#[inline]
fn read<M: Model, F: Family, P>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    places: &mut [P],
    put: impl Fn(&mut P, F::C) + Copy,
) -> Result<(), Refusal> {
    if let ([reference], [to]) = (references, &mut *places)
        && let Some(place) = c.declared.place(*reference)
        && !place.is_array
        && let Some(value) = F::get(c, place)
    {
        put(to, value);
        return Ok(());
    }
    read_all::<M, F, P>(c, references, places, put)
}

/// Apart from [`read`], which is then short for one value.
#[inline(never)]
fn read_all<M: Model, F: Family, P>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    places: &mut [P],
    put: impl Fn(&mut P, F::C),
) -> Result<(), Refusal> {
    refuse_other_number::<M, F>(c, references, places.len())?;
    let mut places = places.iter_mut();
    for &reference in references {
        match c.declared.place(reference) {
            Some(place) if place.is_array && F::has(place.element) => {
                for (element, to) in (0..length::<M, F>(c, place)).zip(&mut places) {
                    put(to, F::get_element(c, place, element).ok_or_else(|| unknown::<F>(reference))?);
                }
            }
            place => {
                let value = match place {
                    Some(place) if F::has(place.element) => F::get(c, place),
                    Some(_) => None,
                    None => F::time(c.state.run.time),
                };
                let value = value.ok_or_else(|| unknown::<F>(reference))?;
                places.next().into_iter().for_each(|to| put(to, value.clone()));
            }
        }
    }
    Ok(())
}

/// Sets variables to values, one for each scalar and each element of an array.
pub(super) fn set<M: Model, F: Family>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    values: &[F::C],
) -> Result<(), Refusal> {
    if c.state.run.phase == Phase::StepInProgress {
        note_inputs(c, references)?;
    }
    write::<M, F>(c, references, values)?;
    if c.state.run.is_before_first_step() {
        c.state.run.stale = true;
    }
    Ok(())
}

/// Same as [`set`], where the phase needs nothing else.
#[inline]
fn write<M: Model, F: Family>(c: &mut Component<M>, references: &[ffi::ValueReference], values: &[F::C]) -> Result<(), Refusal> {
    if let ([reference], [value]) = (references, values)
        && let Some(place) = c.declared.place(*reference)
        && !place.is_array
        && F::has(place.element)
    {
        F::set(c, place, value.clone())?;
    } else {
        write_all::<M, F>(c, references, values)?;
    }
    if M::HAS_EVENTS {
        c.state.run.is_update_due = true;
    }
    Ok(())
}

/// Apart from [`write`], which is then short for one value.
#[inline(never)]
fn write_all<M: Model, F: Family>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    values: &[F::C],
) -> Result<(), Refusal> {
    refuse_other_number::<M, F>(c, references, values.len())?;
    let mut values = values.iter();
    for &reference in references {
        let place = c.declared.place(reference).filter(|place| F::has(place.element)).ok_or_else(|| unknown::<F>(reference))?;
        for (element, value) in (0..length::<M, F>(c, place)).zip(&mut values) {
            if place.is_array {
                F::set_element(c, place, element, value.clone())?;
            } else {
                F::set(c, place, value.clone())?;
            }
        }
    }
    Ok(())
}

/// Refuses an array whose length is not the number of scalars and elements of all variables.
pub(super) fn refuse_other_number<M: Model, F: Family>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    n_values: usize,
) -> Result<(), Refusal> {
    let mut sum = 0;
    for &reference in references {
        sum += match c.declared.place(reference) {
            Some(place) => length::<M, F>(c, place),
            None if reference == TIME => 1,
            None => return Err(unknown::<F>(reference)),
        };
    }
    if sum == n_values { Ok(()) } else { Err(other_number(sum, n_values)) }
}

/// Returns the number of values of a variable; 1 also if the functions do not access it, which is found out later.
fn length<M: Model, F: Family>(c: &mut Component<M>, place: &Referenced) -> usize {
    if place.is_array && F::has(place.element) { F::length(c, place) } else { 1 }
}

/// Notes that the importer sets inputs while the step is in progress; refuses those that are held during a step.
fn note_inputs<M: Model>(c: &mut Component<M>, references: &[ffi::ValueReference]) -> Result<(), Refusal> {
    for &reference in references {
        if !c.declared.place(reference).is_some_and(|place| place.is_interpolated) {
            return Err(held(reference));
        }
    }
    c.note_input();
    Ok(())
}

#[cold]
fn held(reference: ffi::ValueReference) -> Refusal {
    Refusal::error(format!(
        "the variable with value reference {reference} cannot be set during a step; only inputs with intermediateUpdate can"
    ))
}

#[cold]
fn unknown<F: Family>(reference: ffi::ValueReference) -> Refusal {
    Refusal::error(format!("no {} variable has the value reference {reference}", F::NAME))
}

#[cold]
fn other_number(expected: usize, found: usize) -> Refusal {
    Refusal::error(format!("expected {expected} values for these variables, found {found}"))
}
