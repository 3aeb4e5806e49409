//! Calls that a wrapper of an instance passes on.

/// Implements the functions of [`lotka_instance::Instance`] that make one call of the wrapped instance, through a method of the
/// wrapper that takes the call: all but `name`, `phase`, `capabilities`, `bind`, the steps, and what has a default. The first
/// three as well, if a second method is named, which returns the wrapped instance.
#[doc(hidden)]
#[macro_export]
macro_rules! forward {
    ($through:ident, $inner:ident) => {
        fn name(&self) -> &str {
            self.$inner().name()
        }

        fn phase(&self) -> $crate::Phase {
            self.$inner().phase()
        }

        fn capabilities(&self) -> &$crate::Capabilities {
            self.$inner().capabilities()
        }

        $crate::forward!($through);
    };
    ($through:ident) => {
        $crate::forward! { $through:
            fn set_debug_logging(on: bool, categories: &[&str]) -> CallResult<()>;
            fn setup_experiment(experiment: &Experiment) -> CallResult<()>;
            fn enter_initialization_mode() -> CallResult<()>;
            fn exit_initialization_mode() -> CallResult<()>;
            fn terminate() -> CallResult<()>;
            fn reset() -> CallResult<()>;
            fn get_real(references: &[RealRef], values: &mut [f64]) -> CallResult<()>;
            fn get_integer(references: &[IntegerRef], values: &mut [i128]) -> CallResult<()>;
            fn get_boolean(references: &[BooleanRef], values: &mut [bool]) -> CallResult<()>;
            fn get_string(references: &[StringRef], values: &mut [String]) -> CallResult<()>;
            fn set_real(references: &[RealRef], values: &[f64]) -> CallResult<()>;
            fn set_integer(references: &[IntegerRef], values: &[i128]) -> CallResult<()>;
            fn set_boolean(references: &[BooleanRef], values: &[bool]) -> CallResult<()>;
            fn set_string(references: &[StringRef], values: &[&str]) -> CallResult<()>;
            fn get_binary(references: &[BinaryRef], values: &mut [Vec<u8>]) -> CallResult<()>;
            fn set_binary(references: &[BinaryRef], values: &[&[u8]]) -> CallResult<()>;
            fn set_input_derivatives(references: &[RealRef], orders: &[i32], values: &[f64]) -> CallResult<()>;
            fn get_output_derivatives(references: &[RealRef], orders: &[i32], values: &mut [f64]) -> CallResult<()>;
            fn directional_derivative(unknowns: &[RealRef], knowns: &[RealRef], seed: &[f64], result: &mut [f64]) -> CallResult<()>;
            fn do_step(t: f64, h: f64, commit: bool) -> CallResult<StepOutcome>;
            fn enter_event_mode() -> CallResult<()>;
            fn update_discrete_states() -> CallResult<DiscreteUpdate>;
            fn enter_step_mode() -> CallResult<()>;
            fn new_slot() -> CallResult<Slot>;
            fn save(slot: Slot) -> CallResult<()>;
            fn restore(slot: Slot) -> CallResult<()>;
            fn free_slot(slot: Slot) -> CallResult<()>;
            fn serialize(slot: Slot) -> CallResult<Vec<u8>>;
            fn deserialize(slot: Slot, bytes: &[u8]) -> CallResult<()>;
        }
    };
    ($through:ident: $(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $name(&mut self, $($argument: $type),*) -> $result {
            self.$through(|inner| inner.$name($($argument),*))
        }
    )*};
}
