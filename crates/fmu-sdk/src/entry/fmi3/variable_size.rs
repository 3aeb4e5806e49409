//! Reading and setting strings and binary values.

use fmi3::{Function, ffi};

use super::families::{Binary, Family, Text};
use super::values::{get, refuse_other_number, set};
use crate::component::{Component, slice, slice_mut, text};
use crate::entry::shared::{c_string, guarded};
use crate::{Model, Refusal};

guarded! { guard: "fmi3", ffi::Instance;
    /// The strings stay valid until the next `fmi3GetString` on the instance.
    get_string: GetString(|c| references: *const ffi::ValueReference, n: usize, values: *mut ffi::FmiString, n_values: usize) {
        // SAFETY: the importer passes `n` value references.
        let references = unsafe { slice(references, n) }?;
        // SAFETY: the importer passes memory for `n_values` values.
        let values = unsafe { slice_mut(values, n_values) }?;
        c.strings = collected::<M, Text>(c, references, n_values)?.into_iter().map(c_string).collect();
        for (to, string) in values.iter_mut().zip(&c.strings) {
            to.write(string.as_ptr());
        }
        Ok(())
    }

    /// The strings are copied.
    set_string: SetString(|c| references: *const ffi::ValueReference, n: usize, values: *const ffi::FmiString, n_values: usize) {
        // SAFETY: the importer passes `n` value references.
        let references = unsafe { slice(references, n) }?;
        // SAFETY: the importer passes `n_values` strings.
        let values = unsafe { slice(values, n_values) }?;
        let copied = |value: &ffi::FmiString| {
            // SAFETY: NULL, or a string that lives during the call.
            let value = unsafe { text(*value) }.ok_or_else(|| Refusal::error("a string value is NULL"))?;
            Ok(value.to_string_lossy().into_owned())
        };
        let values = values.iter().map(copied).collect::<Result<Vec<_>, _>>()?;
        set::<M, Text>(c, references, &values)
    }

    /// The values stay valid until the next `fmi3GetBinary` on the instance.
    get_binary: GetBinary(|c|
        references: *const ffi::ValueReference, n: usize, sizes: *mut usize, values: *mut ffi::Binary, n_values: usize
    ) {
        // SAFETY: the importer passes `n` value references.
        let references = unsafe { slice(references, n) }?;
        // SAFETY: the importer passes memory for `n_values` sizes.
        let sizes = unsafe { slice_mut(sizes, n_values) }?;
        // SAFETY: the importer passes memory for `n_values` values.
        let values = unsafe { slice_mut(values, n_values) }?;
        c.binaries = collected::<M, Binary>(c, references, n_values)?;
        for ((size, to), binary) in sizes.iter_mut().zip(values).zip(&c.binaries) {
            size.write(binary.len());
            to.write(binary.as_ptr());
        }
        Ok(())
    }

    /// The values are copied.
    set_binary: SetBinary(|c|
        references: *const ffi::ValueReference, n: usize, sizes: *const usize, values: *const ffi::Binary, n_values: usize
    ) {
        // SAFETY: the importer passes `n` value references.
        let references = unsafe { slice(references, n) }?;
        // SAFETY: the importer passes `n_values` sizes.
        let sizes = unsafe { slice(sizes, n_values) }?;
        // SAFETY: the importer passes `n_values` pointers.
        let values = unsafe { slice(values, n_values) }?;
        let copied = |(&value, &size): (&ffi::Binary, &usize)| {
            // SAFETY: the importer passes as many bytes as the size says.
            unsafe { slice(value, size) }.map(<[u8]>::to_vec)
        };
        let values = values.iter().zip(sizes).map(copied).collect::<Result<Vec<_>, _>>()?;
        set::<M, Binary>(c, references, &values)
    }
}

/// Reads values of variable size. Their number is checked before memory for them is requested.
fn collected<M: Model, F: Family>(
    c: &mut Component<M>,
    references: &[ffi::ValueReference],
    n_values: usize,
) -> Result<Vec<F::C>, Refusal> {
    refuse_other_number::<M, F>(c, references, n_values)?;
    let mut values = vec![None; n_values];
    get::<M, F, _>(c, references, &mut values, |to, value| *to = Some(value))?;
    Ok(values.into_iter().flatten().collect())
}
