//! Which function may be called in which phase of an instance's life (FMI 2.0.5, section 4.2.4).

use std::fmt;

/// Where an instance is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum Phase {
    /// After instantiation or reset.
    Instantiated,
    /// In initialization mode.
    Initialization,
    /// At a communication point, ready for the next step.
    StepComplete,
    /// An asynchronous step is being made.
    StepInProgress,
    /// The last step was discarded.
    StepFailed,
    /// An asynchronous step was canceled.
    StepCanceled,
    /// After terminate.
    Terminated,
    /// After an error: reset, restore or free.
    Error,
    /// Lost. Nothing may be called.
    Fatal,
}

impl Phase {
    const fn bit(self) -> u16 {
        1 << self as u8
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Instantiated => "instantiated",
            Self::Initialization => "initialization mode",
            Self::StepComplete => "step complete",
            Self::StepInProgress => "step in progress",
            Self::StepFailed => "step failed",
            Self::StepCanceled => "step canceled",
            Self::Terminated => "terminated",
            Self::Error => "error",
            Self::Fatal => "fatal",
        })
    }
}

const I: u16 = Phase::Instantiated.bit();
const N: u16 = Phase::Initialization.bit();
const C: u16 = Phase::StepComplete.bit();
const P: u16 = Phase::StepInProgress.bit();
const F: u16 = Phase::StepFailed.bit();
const X: u16 = Phase::StepCanceled.bit();
const T: u16 = Phase::Terminated.bit();
const E: u16 = Phase::Error.bit();

macro_rules! functions {
    ($($variant:ident $phases:expr;)*) => {
        /// One of the 34 functions of a co-simulation FMU.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[allow(missing_docs, reason = "the names are those of the standard without the prefix fmi2")]
        pub enum Function { $($variant),* }

        impl Function {
            /// All 34, in the order of the standard.
            pub const ALL: [Function; 34] = [$(Function::$variant),*];

            /// The symbol that an FMU exports.
            pub const fn symbol(self) -> &'static str {
                match self { $(Self::$variant => concat!("fmi2", stringify!($variant))),* }
            }

            const fn phases(self) -> u16 {
                match self { $(Self::$variant => $phases),* }
            }
        }
    };
}

functions! {
    GetTypesPlatform I|N|C|P|F|X|T|E;
    GetVersion I|N|C|P|F|X|T|E;
    SetDebugLogging I|N|C|P|F|X|T|E;
    Instantiate 0;
    FreeInstance I|N|C|F|X|T|E;
    SetupExperiment I;
    EnterInitializationMode I;
    ExitInitializationMode N;
    Terminate C|F;
    Reset I|N|C|F|X|T|E;
    GetReal N|C|F|X|T|E;
    GetInteger N|C|F|X|T|E;
    GetBoolean N|C|F|X|T|E;
    GetString N|C|F|X|T|E;
    SetReal I|N|C;
    SetInteger I|N|C;
    SetBoolean I|N|C;
    SetString I|N|C;
    GetFMUstate I|N|C|F|X|T|E;
    SetFMUstate I|N|C|F|X|T|E;
    FreeFMUstate I|N|C|F|X|T|E;
    SerializedFMUstateSize I|N|C|F|X|T|E;
    SerializeFMUstate I|N|C|F|X|T|E;
    DeSerializeFMUstate I|N|C|F|X|T|E;
    GetDirectionalDerivative N|C|F|X|T|E;
    SetRealInputDerivatives I|N|C;
    GetRealOutputDerivatives C|F|X|T|E;
    DoStep C;
    CancelStep P;
    GetStatus C|P|F|T;
    GetRealStatus C|P|F|T;
    GetIntegerStatus C|P|F|T;
    GetBooleanStatus C|P|F|T;
    GetStringStatus C|P|F|T;
}

impl Function {
    /// Whether the call table allows this function in `phase`. [`Phase::Fatal`] allows nothing.
    /// The finer limits on single variables (what may be set or read where) are not part of the answer.
    ///
    /// ```
    /// use fmi2::{Function, Phase};
    /// assert!(Function::DoStep.allowed_in(Phase::StepComplete));
    /// assert!(!Function::Terminate.allowed_in(Phase::Error));
    /// ```
    #[inline]
    #[must_use]
    pub const fn allowed_in(self, phase: Phase) -> bool {
        self.phases() & phase.bit() != 0
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_distinct_and_spelled_as_in_the_standard() {
        let symbols: std::collections::BTreeSet<_> = Function::ALL.iter().map(|f| f.symbol()).collect();
        assert_eq!(symbols.len(), 34);
        for name in ["fmi2GetFMUstate", "fmi2DeSerializeFMUstate", "fmi2SerializedFMUstateSize", "fmi2GetTypesPlatform"] {
            assert!(symbols.contains(name), "{name}");
        }
    }

    #[test]
    fn nothing_is_allowed_after_a_fatal_error() {
        assert!(Function::ALL.iter().all(|f| !f.allowed_in(Phase::Fatal)));
    }

    #[test]
    fn after_an_error_only_reset_restore_free_and_reading_remain() {
        for function in [Function::DoStep, Function::Terminate, Function::SetReal, Function::EnterInitializationMode] {
            assert!(!function.allowed_in(Phase::Error), "{function}");
        }
        for function in [Function::Reset, Function::SetFMUstate, Function::FreeInstance] {
            assert!(function.allowed_in(Phase::Error), "{function}");
        }
    }
}
