//! Saved states, under the names of FMI 2.0.

use fmi2::{Function, ffi};

use crate::Model;
use crate::declaration::Declared;
use crate::entry::shared;

/// `fmi2GetFMUstate`.
pub unsafe extern "C" fn get_fmu_state<M: Model>(component: ffi::Component, handle: *mut ffi::FmuState) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::get_state::<M, _>(Function::GetFMUstate, component, handle) }
}

/// `fmi2SetFMUstate`.
pub unsafe extern "C" fn set_fmu_state<M: Model>(component: ffi::Component, state: ffi::FmuState) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::set_state::<M, _>(Function::SetFMUstate, component, state) }
}

/// `fmi2FreeFMUstate`.
pub unsafe extern "C" fn free_fmu_state<M: Model>(component: ffi::Component, handle: *mut ffi::FmuState) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::free_state::<M, _>(Function::FreeFMUstate, component, handle) }
}

/// `fmi2SerializedFMUstateSize`.
pub unsafe extern "C" fn serialized_fmu_state_size<M: Model>(
    component: ffi::Component,
    state: ffi::FmuState,
    size: *mut usize,
) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::serialized_size::<M, _>(Function::SerializedFMUstateSize, component, identifier, state, size) }
}

/// `fmi2SerializeFMUstate`.
pub unsafe extern "C" fn serialize_fmu_state<M: Model>(
    component: ffi::Component,
    state: ffi::FmuState,
    bytes: *mut ffi::Byte,
    size: usize,
) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::serialize::<M, _>(Function::SerializeFMUstate, component, identifier, state, bytes.cast(), size) }
}

/// `fmi2DeSerializeFMUstate`.
pub unsafe extern "C" fn de_serialize_fmu_state<M: Model>(
    component: ffi::Component,
    bytes: *const ffi::Byte,
    size: usize,
    handle: *mut ffi::FmuState,
) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::deserialize::<M, _>(Function::DeSerializeFMUstate, component, identifier, (bytes.cast(), size), handle) }
}

/// Ties a serialized state to the FMU.
fn identifier<M>(declared: &Declared<M>) -> &str {
    &declared.fmi2.guid
}
