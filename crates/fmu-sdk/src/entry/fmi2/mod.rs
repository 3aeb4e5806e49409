//! The 34 functions of FMI 2.0.

mod derivatives;
mod life;
mod states;
mod status;
mod step;
mod values;

pub use derivatives::{get_directional_derivative, get_real_output_derivatives, set_real_input_derivatives};
pub use life::{
    enter_initialization_mode, exit_initialization_mode, free_instance, get_types_platform, get_version, instantiate, reset,
    set_debug_logging, setup_experiment, terminate,
};
pub use states::{
    de_serialize_fmu_state, free_fmu_state, get_fmu_state, serialize_fmu_state, serialized_fmu_state_size, set_fmu_state,
};
pub use status::{cancel_step, get_boolean_status, get_integer_status, get_real_status, get_status, get_string_status};
pub use step::do_step;
pub use values::{get_boolean, get_integer, get_real, get_string, set_boolean, set_integer, set_real, set_string};
