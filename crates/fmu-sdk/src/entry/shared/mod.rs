//! What the functions of both versions do in the same way.

mod directional;
mod functions;
mod life;
mod states;
mod values;

pub(super) use directional::directional;
pub(super) use functions::{guarded, life_functions, state_functions};
pub(super) use life::{exit_initialization, free, refuse_unfit, set_debug_logging, terminate};
pub(super) use states::{deserialize, free_state, get_state, serialize, serialized_size, set_state};
pub(super) use values::{c_string, read, set_element, set_scalar};
