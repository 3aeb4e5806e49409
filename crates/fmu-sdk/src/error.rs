//! Errors of a declaration or of the bytes of a saved state.

/// Errors of the kit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A dependency or a derivative names an undeclared variable.
    #[error("variable `{variable}` refers to `{on}`, which is not declared; check the spelling in `Model::declare`")]
    UnknownVariable {
        /// The variable being declared.
        variable: String,
        /// The unknown name.
        on: String,
    },
    /// A variable depends on itself without a state in between.
    #[error("variable `{variable}` depends on itself; name the inputs and states that it depends on instead")]
    CyclicDependency {
        /// A variable of the cycle.
        variable: String,
    },
    /// Two variables have the same name.
    #[error("variable `{variable}` is declared twice; names must differ")]
    RepeatedName {
        /// The name.
        variable: String,
    },
    /// A time derivative and its state are arrays of different shapes.
    #[error("variable `{variable}` is the time derivative of `{state}`, but has another shape; declare both with the same type")]
    OtherShape {
        /// The time derivative.
        variable: String,
        /// The state.
        state: String,
    },
    /// The size of an array refers to a variable that is no structural parameter.
    #[error("the size of `{variable}` refers to `{on}`, which is not declared as a structural parameter")]
    NoSuchSize {
        /// The array.
        variable: String,
        /// The name.
        on: String,
    },
    /// An array of the default model has another length than its structural parameters say.
    #[error("`{variable}` has {found} elements in the default model, but its structural parameters say {expected}")]
    OtherSize {
        /// The array.
        variable: String,
        /// Product of the start values of the structural parameters.
        expected: usize,
        /// Length in the default model.
        found: usize,
    },
    /// FMI 2.0 cannot represent a variable.
    #[error(
        "variable `{variable}` has the type {element}, which FMI 2.0 lacks; pack the model with --fmi 3.0, or use another type"
    )]
    NotInFmi2 {
        /// The variable.
        variable: String,
        /// Its type in FMI 3.0.
        element: &'static str,
    },
    /// The bytes are not a saved state of this FMU.
    #[error("the bytes are not a serialized state of this FMU: {reason}")]
    NotAState {
        /// The reason.
        reason: String,
    },
    /// The model cannot be serialized with serde.
    #[error("the state of the model cannot be serialized: {reason}")]
    NotSerializable {
        /// The message of serde.
        reason: String,
    },
}
