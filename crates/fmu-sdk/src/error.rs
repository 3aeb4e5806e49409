//! What can be wrong with a declaration or with the bytes of a saved state.

/// Errors of the kit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A dependency or a derivative names a variable that is not declared.
    #[error("variable `{variable}` refers to `{on}`, which is not declared; check the spelling in `Model::declare`")]
    UnknownVariable {
        /// The variable being declared.
        variable: String,
        /// The name that is unknown.
        on: String,
    },
    /// A variable depends on itself without a state between.
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
    /// Bytes that are no saved state of this FMU.
    #[error("the bytes are not a serialized state of this FMU: {reason}")]
    NotAState {
        /// What does not fit.
        reason: String,
    },
    /// A model that serde cannot write.
    #[error("the state of the model cannot be serialized: {reason}")]
    NotSerializable {
        /// What serde says.
        reason: String,
    },
}
