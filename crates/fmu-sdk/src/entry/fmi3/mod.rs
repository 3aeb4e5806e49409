//! The 75 functions of FMI 3.0.

mod derivatives;
mod families;
mod inputs;
mod life;
mod modes;
mod other;
mod states;
mod step;
mod values;
mod variable_size;

pub use derivatives::{get_directional_derivative, get_output_derivatives};
pub use life::{
    enter_initialization_mode, exit_initialization_mode, free_instance, get_version, instantiate_co_simulation, reset,
    set_debug_logging, terminate,
};
pub use modes::{enter_configuration_mode, enter_event_mode, enter_step_mode, exit_configuration_mode, update_discrete_states};
pub use other::{
    activate_model_partition, completed_integrator_step, enter_continuous_time_mode, evaluate_discrete_states,
    get_adjoint_derivative, get_clock, get_continuous_state_derivatives, get_continuous_states, get_event_indicators,
    get_interval_decimal, get_interval_fraction, get_nominals_of_continuous_states, get_number_of_continuous_states,
    get_number_of_event_indicators, get_number_of_variable_dependencies, get_shift_decimal, get_shift_fraction,
    get_variable_dependencies, instantiate_model_exchange, instantiate_scheduled_execution, set_clock, set_continuous_states,
    set_interval_decimal, set_interval_fraction, set_shift_decimal, set_shift_fraction, set_time,
};
pub use states::{
    deserialize_fmu_state, free_fmu_state, get_fmu_state, serialize_fmu_state, serialized_fmu_state_size, set_fmu_state,
};
pub use step::do_step;
pub use values::{
    get_boolean, get_float32, get_float64, get_int8, get_int16, get_int32, get_int64, get_uint8, get_uint16, get_uint32,
    get_uint64, set_boolean, set_float32, set_float64, set_int8, set_int16, set_int32, set_int64, set_uint8, set_uint16,
    set_uint32, set_uint64,
};
pub use variable_size::{get_binary, get_string, set_binary, set_string};
