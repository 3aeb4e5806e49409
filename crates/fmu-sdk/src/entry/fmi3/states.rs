//! Saved states, under the names of FMI 3.0.

use fmi3::{Function, ffi};

use crate::Model;
use crate::component::Component;
use crate::declaration::Declared;
use crate::entry::shared::{self, guarded, state_functions};

state_functions! { "fmi3", ffi::Instance, |declared| &declared.fmi3.instantiation_token;
    get GetFMUState, set SetFMUState, free FreeFMUState, size SerializedFMUStateSize, serialize SerializeFMUState,
    deserialize DeserializeFMUState deserialize_fmu_state
}
