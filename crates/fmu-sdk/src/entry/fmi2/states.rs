//! Saved states, under the names of FMI 2.0.

use fmi2::{Function, ffi};

use crate::Model;
use crate::component::Component;
use crate::declaration::Declared;
use crate::entry::shared::{self, guarded, state_functions};

state_functions! { "fmi2", ffi::Component, |declared| &declared.fmi2.guid;
    get GetFMUstate, set SetFMUstate, free FreeFMUstate, size SerializedFMUstateSize, serialize SerializeFMUstate,
    deserialize DeSerializeFMUstate de_serialize_fmu_state
}
