//! Saving, restoring and serializing the complete state. The functions differ between the versions only in their names.

use std::ffi::c_void;

use crate::component::{Component, Saved, put, slice, slice_mut};
use crate::declaration::Declared;
use crate::{Error, Model, Refusal};

/// Returns what ties a serialized state to its FMU: GUID or instantiation token.
pub(crate) type Identifier<M> = fn(&Declared<M>) -> &str;

/// Creates a saved state if the handle is NULL, otherwise reuses the memory of the old one.
///
/// # Safety
/// As for the functions of FMI.
pub(crate) unsafe fn get_state<M: Model>(c: &mut Component<M>, handle: *mut *mut c_void) -> Result<(), Refusal> {
    // SAFETY: the importer passes a handle that is NULL inside, or holds one of its saved states.
    let old = unsafe { read_handle(handle) }?;
    if old.is_null() {
        // SAFETY: the handle was read above.
        return unsafe { put(handle, Saved::into_raw(c.state.clone())) };
    }
    // SAFETY: one of the importer's saved states.
    let saved = unsafe { Saved::<M>::from_raw(old) }.ok_or_else(no_state)?;
    saved.state.clone_from(&c.state);
    Ok(())
}

/// Copies the saved state, which is kept.
///
/// # Safety
/// As for the functions of FMI.
pub(crate) unsafe fn set_state<M: Model>(c: &mut Component<M>, state: *mut c_void) -> Result<(), Refusal> {
    // SAFETY: the importer passes one of its saved states.
    let saved = unsafe { Saved::<M>::from_raw(state) }.ok_or_else(no_state)?;
    c.restore(&saved.state);
    Ok(())
}

/// Frees a saved state and sets the handle to NULL; a handle that is already NULL is ignored.
///
/// # Safety
/// As for the functions of FMI.
pub(crate) unsafe fn free_state<M: Model>(_: &mut Component<M>, handle: *mut *mut c_void) -> Result<(), Refusal> {
    if handle.is_null() {
        return Ok(());
    }
    // SAFETY: the importer passes a handle that is NULL inside, or holds one of its saved states.
    let state = unsafe { read_handle(handle) }?;
    // SAFETY: one of the importer's saved states, which is not used again: the handle becomes NULL.
    if !state.is_null() && !unsafe { Saved::<M>::free(state) } {
        return Err(no_state());
    }
    // SAFETY: the handle was read above.
    unsafe { put(handle, std::ptr::null_mut()) }
}

/// Returns the number of bytes of a serialized state.
///
/// # Safety
/// As for the functions of FMI.
pub(crate) unsafe fn serialized_size<M: Model>(
    c: &mut Component<M>,
    identifier: Identifier<M>,
    state: *mut c_void,
    size: *mut usize,
) -> Result<(), Refusal> {
    // SAFETY: the importer passes one of its saved states.
    let bytes = unsafe { serialized::<M>(identifier(c.declared), state) }?;
    // SAFETY: the importer passes memory for the size.
    unsafe { put(size, bytes.len()) }
}

/// Serializes a state; the array must have the size that [`serialized_size`] returns.
///
/// # Safety
/// As for the functions of FMI.
pub(crate) unsafe fn serialize<M: Model>(
    c: &mut Component<M>,
    identifier: Identifier<M>,
    state: *mut c_void,
    to: *mut u8,
    size: usize,
) -> Result<(), Refusal> {
    // SAFETY: the importer passes one of its saved states.
    let bytes = unsafe { serialized::<M>(identifier(c.declared), state) }?;
    if size != bytes.len() {
        let needed = bytes.len();
        return Err(Refusal::error(format!("the state takes {needed} bytes, but the array has {size}")));
    }
    // SAFETY: the importer passes memory for `size` bytes.
    let to = unsafe { slice_mut(to, size) }?;
    for (to, byte) in to.iter_mut().zip(bytes) {
        to.write(byte);
    }
    Ok(())
}

/// Deserializes a state: always creates a saved state, whatever the handle contained.
///
/// # Safety
/// As for the functions of FMI.
pub(crate) unsafe fn deserialize<M: Model>(
    c: &mut Component<M>,
    identifier: Identifier<M>,
    (bytes, size): (*const u8, usize),
    handle: *mut *mut c_void,
) -> Result<(), Refusal> {
    // SAFETY: the importer passes `size` bytes.
    let bytes = unsafe { slice(bytes, size) }?;
    let state = Saved::<M>::state_from_bytes(bytes, identifier(c.declared)).map_err(refused)?;
    if handle.is_null() {
        return Err(no_state());
    }
    // SAFETY: the importer passes a handle to write to.
    unsafe { put(handle, Saved::into_raw(state)) }
}

/// # Safety
/// The handle is NULL or readable.
#[inline]
unsafe fn read_handle(handle: *mut *mut c_void) -> Result<*mut c_void, Refusal> {
    // SAFETY: NULL, or one initialized handle.
    let handles = unsafe { slice(handle.cast_const(), 1) }?;
    handles.first().copied().ok_or_else(no_state)
}

/// # Safety
/// The state is NULL or one of the model's live saved states.
unsafe fn serialized<M: Model>(identifier: &str, state: *mut c_void) -> Result<Vec<u8>, Refusal> {
    // SAFETY: passed on.
    let saved = unsafe { Saved::<M>::from_raw(state) }.ok_or_else(no_state)?;
    saved.to_bytes(identifier).map_err(refused)
}

fn refused(error: Error) -> Refusal {
    Refusal::error(error.to_string())
}

#[cold]
fn no_state() -> Refusal {
    Refusal::error("the pointer is NULL or not a saved state of this FMU")
}
