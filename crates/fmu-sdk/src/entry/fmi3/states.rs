//! Saved states, under the names of FMI 3.0.

use fmi3::{Function, ffi};

use crate::Model;
use crate::declaration::Declared;
use crate::entry::shared;

/// `fmi3GetFMUState`.
pub unsafe extern "C" fn get_fmu_state<M: Model>(instance: ffi::Instance, handle: *mut ffi::FmuState) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::get_state::<M, _>(Function::GetFMUState, instance, handle) }
}

/// `fmi3SetFMUState`.
pub unsafe extern "C" fn set_fmu_state<M: Model>(instance: ffi::Instance, state: ffi::FmuState) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::set_state::<M, _>(Function::SetFMUState, instance, state) }
}

/// `fmi3FreeFMUState`.
pub unsafe extern "C" fn free_fmu_state<M: Model>(instance: ffi::Instance, handle: *mut ffi::FmuState) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::free_state::<M, _>(Function::FreeFMUState, instance, handle) }
}

/// `fmi3SerializedFMUStateSize`.
pub unsafe extern "C" fn serialized_fmu_state_size<M: Model>(
    instance: ffi::Instance,
    state: ffi::FmuState,
    size: *mut usize,
) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::serialized_size::<M, _>(Function::SerializedFMUStateSize, instance, identifier, state, size) }
}

/// `fmi3SerializeFMUState`.
pub unsafe extern "C" fn serialize_fmu_state<M: Model>(
    instance: ffi::Instance,
    state: ffi::FmuState,
    bytes: *mut ffi::Byte,
    size: usize,
) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::serialize::<M, _>(Function::SerializeFMUState, instance, identifier, state, bytes, size) }
}

/// `fmi3DeserializeFMUState`.
pub unsafe extern "C" fn deserialize_fmu_state<M: Model>(
    instance: ffi::Instance,
    bytes: *const ffi::Byte,
    size: usize,
    handle: *mut ffi::FmuState,
) -> ffi::RawStatus {
    // SAFETY: the guarantees of the importer are passed on.
    unsafe { shared::deserialize::<M, _>(Function::DeserializeFMUState, instance, identifier, (bytes, size), handle) }
}

/// Ties a serialized state to the FMU.
fn identifier<M>(declared: &Declared<M>) -> &str {
    &declared.fmi3.instantiation_token
}
