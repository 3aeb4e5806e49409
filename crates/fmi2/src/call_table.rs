//! The call table: which function may be called in which phase of an instance's life (FMI 2.0.5, section 4.2.4).

use fmi_xml::phases::{C, E, F, I, N, P, T, X};

fmi_xml::call_table! {
    /// A function of a co-simulation FMU.
    ///
    /// ```
    /// use fmi2::Function;
    /// use lotka_instance::Phase;
    ///
    /// assert!(Function::DoStep.allowed_in(Phase::StepComplete));
    /// assert!(!Function::Terminate.allowed_in(Phase::Error));
    /// ```
    "fmi2" 34 {
        GetTypesPlatform GetVersion SetDebugLogging => I|N|C|P|F|X|T|E;
        Instantiate => 0;
        FreeInstance => I|N|C|F|X|T|E;
        SetupExperiment EnterInitializationMode => I;
        ExitInitializationMode => N;
        Terminate => C|F;
        Reset => I|N|C|F|X|T|E;
        GetReal GetInteger GetBoolean GetString => N|C|F|X|T|E;
        SetReal SetInteger SetBoolean SetString => I|N|C;
        GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate => I|N|C|F|X|T|E;
        GetDirectionalDerivative => N|C|F|X|T|E;
        SetRealInputDerivatives => I|N|C;
        GetRealOutputDerivatives => C|F|X|T|E;
        DoStep => C;
        CancelStep => P;
        GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus => C|P|F|T;
    }
}

#[cfg(test)]
mod tests {
    use lotka_instance::Phase;

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
