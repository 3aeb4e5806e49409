//! The call table: which function may be called in which phase of an instance's life (FMI 2.0.5, section 4.2.4).

use std::fmt;

use lotka_instance::{FunctionName, Phase};

const fn bit(phase: Phase) -> u16 {
    1 << phase as u8
}

const I: u16 = bit(Phase::Instantiated);
const N: u16 = bit(Phase::Initialization);
const C: u16 = bit(Phase::StepComplete);
const P: u16 = bit(Phase::StepInProgress);
const F: u16 = bit(Phase::StepFailed);
const X: u16 = bit(Phase::StepCanceled);
const T: u16 = bit(Phase::Terminated);
const E: u16 = bit(Phase::Error);

/// Prefix of the names of all functions and statuses.
const PREFIX: &str = "fmi2";

macro_rules! functions {
    ($($variant:ident $phases:expr;)*) => {
        /// A function of a co-simulation FMU.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[allow(missing_docs, reason = "the names are those of the standard without the prefix fmi2")]
        pub enum Function { $($variant),* }

        impl Function {
            /// All 34 functions, in the order of the standard.
            pub const ALL: [Function; 34] = [$(Function::$variant),*];

            /// Returns the symbol that an FMU exports for this function.
            pub const fn symbol(self) -> &'static str {
                match self { $(Self::$variant => concat!("fmi2", stringify!($variant))),* }
            }

            const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant)),* }
            }

            #[inline]
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
    /// Returns whether the call table allows this function in `phase`. [`Phase::Fatal`] allows nothing.
    ///
    /// The answer ignores the finer rules about which variables may be set or read in a phase.
    ///
    /// ```
    /// use fmi2::Function;
    /// use lotka_instance::Phase;
    ///
    /// assert!(Function::DoStep.allowed_in(Phase::StepComplete));
    /// assert!(!Function::Terminate.allowed_in(Phase::Error));
    /// ```
    #[inline]
    #[must_use]
    pub const fn allowed_in(self, phase: Phase) -> bool {
        self.phases() & bit(phase) != 0
    }
}

impl From<Function> for FunctionName {
    fn from(function: Function) -> Self {
        Self::new(PREFIX, function.name())
    }
}

impl PartialEq<Function> for FunctionName {
    fn eq(&self, function: &Function) -> bool {
        self.is(PREFIX, function.name())
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
