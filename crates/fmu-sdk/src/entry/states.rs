//! Saving, restoring and serializing the complete state.

use fmi2::{Function, ffi};

use crate::component::{Component, Saved, guard, put, slice, slice_mut};
use crate::{Error, Model, Refusal};

/// `fmi2GetFMUstate`: creates a saved state if the handle is NULL, otherwise reuses the memory of the old one.
pub unsafe extern "C" fn get_fmu_state<M: Model>(component: ffi::Component, handle: *mut ffi::FmuState) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
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
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::GetFMUstate, body) }
}

/// `fmi2SetFMUstate`: copies the saved state, which is kept.
pub unsafe extern "C" fn set_fmu_state<M: Model>(component: ffi::Component, state: ffi::FmuState) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        // SAFETY: the importer passes one of its saved states.
        let saved = unsafe { Saved::<M>::from_raw(state) }.ok_or_else(no_state)?;
        c.restore(&saved.state);
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::SetFMUstate, body) }
}

/// `fmi2FreeFMUstate`: sets the handle to NULL; a handle that is already NULL is ignored.
pub unsafe extern "C" fn free_fmu_state<M: Model>(component: ffi::Component, handle: *mut ffi::FmuState) -> ffi::RawStatus {
    let body = move |_: &mut Component<M>| {
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
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::FreeFMUstate, body) }
}

/// `fmi2SerializedFMUstateSize`.
pub unsafe extern "C" fn serialized_fmu_state_size<M: Model>(
    component: ffi::Component,
    state: ffi::FmuState,
    size: *mut usize,
) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        // SAFETY: the importer passes one of its saved states.
        let bytes = unsafe { serialized(c, state) }?;
        // SAFETY: the importer passes memory for the size.
        unsafe { put(size, bytes.len()) }
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::SerializedFMUstateSize, body) }
}

/// `fmi2SerializeFMUstate`; the array must have the size returned by `fmi2SerializedFMUstateSize`.
pub unsafe extern "C" fn serialize_fmu_state<M: Model>(
    component: ffi::Component,
    state: ffi::FmuState,
    to: *mut ffi::Byte,
    size: usize,
) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        // SAFETY: the importer passes one of its saved states.
        let bytes = unsafe { serialized(c, state) }?;
        if size != bytes.len() {
            let needed = bytes.len();
            return Err(Refusal::error(format!("the state takes {needed} bytes, but the array has {size}")));
        }
        // SAFETY: the importer passes memory for `size` bytes.
        let to = unsafe { slice_mut(to, size) }?;
        for (to, byte) in to.iter_mut().zip(bytes) {
            to.write(byte as ffi::Byte);
        }
        Ok(())
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::SerializeFMUstate, body) }
}

/// `fmi2DeSerializeFMUstate`: always creates a saved state, whatever the handle contained.
pub unsafe extern "C" fn de_serialize_fmu_state<M: Model>(
    component: ffi::Component,
    bytes: *const ffi::Byte,
    size: usize,
    handle: *mut ffi::FmuState,
) -> ffi::RawStatus {
    let body = move |c: &mut Component<M>| {
        // SAFETY: the importer passes `size` bytes.
        let bytes = unsafe { slice(bytes.cast::<u8>(), size) }?;
        let state = Saved::<M>::state_from_bytes(bytes, &c.declared.description.guid).map_err(refused)?;
        if handle.is_null() {
            return Err(no_state());
        }
        // SAFETY: the importer passes a handle to write to.
        unsafe { put(handle, Saved::into_raw(state)) }
    };
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::DeSerializeFMUstate, body) }
}

/// # Safety
/// The handle is NULL or readable.
#[inline]
unsafe fn read_handle(handle: *mut ffi::FmuState) -> Result<ffi::FmuState, Refusal> {
    // SAFETY: NULL, or one initialized handle.
    let handles = unsafe { slice(handle.cast_const(), 1) }?;
    handles.first().copied().ok_or_else(no_state)
}

/// # Safety
/// The state is NULL or one of the model's live saved states.
unsafe fn serialized<M: Model>(c: &Component<M>, state: ffi::FmuState) -> Result<Vec<u8>, Refusal> {
    // SAFETY: passed on.
    let saved = unsafe { Saved::<M>::from_raw(state) }.ok_or_else(no_state)?;
    saved.to_bytes(&c.declared.description.guid).map_err(refused)
}

fn refused(error: Error) -> Refusal {
    Refusal::error(error.to_string())
}

#[cold]
fn no_state() -> Refusal {
    Refusal::error("the pointer is NULL or not a saved state of this FMU")
}
