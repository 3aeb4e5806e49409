//! The call table: which function may be called in which phase of an instance's life (FMI 3.0.2, sections 2.3 and 4.2).
//!
//! The standard also allows reading in the phase `instantiated`. Here it does not, as in FMI 2.0: FMUs that are generated from a
//! common source for both versions respond to it with an error.

use fmi_xml::phases::{C, E, I, N, T, V};

/// The phases between instantiation and a fatal error.
const ALIVE: u16 = I | N | V | C | T | E;

fmi_xml::call_table! {
    /// A function of an FMU. Those of model exchange, clocks and scheduled execution are allowed in no phase of a co-simulation
    /// instance. Configuration mode is part of the phase in which it is entered.
    ///
    /// ```
    /// use fmi3::Function;
    /// use lotka_instance::Phase;
    ///
    /// assert!(Function::DoStep.allowed_in(Phase::StepComplete) && !Function::DoStep.allowed_in(Phase::Event));
    /// assert!(!Function::Terminate.allowed_in(Phase::Error));
    /// ```
    "fmi3" 75 {
        GetVersion ALIVE;
        SetDebugLogging ALIVE;
        InstantiateModelExchange 0;
        InstantiateCoSimulation 0;
        InstantiateScheduledExecution 0;
        FreeInstance ALIVE;
        EnterInitializationMode I;
        ExitInitializationMode N;
        EnterEventMode C;
        Terminate V|C;
        Reset ALIVE;
        GetFloat32 N|V|C|T|E;
        GetFloat64 N|V|C|T|E;
        GetInt8 N|V|C|T|E;
        GetUInt8 N|V|C|T|E;
        GetInt16 N|V|C|T|E;
        GetUInt16 N|V|C|T|E;
        GetInt32 N|V|C|T|E;
        GetUInt32 N|V|C|T|E;
        GetInt64 N|V|C|T|E;
        GetUInt64 N|V|C|T|E;
        GetBoolean N|V|C|T|E;
        GetString N|V|C|T|E;
        GetBinary N|V|C|T|E;
        GetClock 0;
        SetFloat32 I|N|V|C;
        SetFloat64 I|N|V|C;
        SetInt8 I|N|V|C;
        SetUInt8 I|N|V|C;
        SetInt16 I|N|V|C;
        SetUInt16 I|N|V|C;
        SetInt32 I|N|V|C;
        SetUInt32 I|N|V|C;
        SetInt64 I|N|V|C;
        SetUInt64 I|N|V|C;
        SetBoolean I|N|V|C;
        SetString I|N|V|C;
        SetBinary I|N|V|C;
        SetClock 0;
        GetNumberOfVariableDependencies I|N|V|C;
        GetVariableDependencies I|N|V|C;
        GetFMUState ALIVE;
        SetFMUState ALIVE;
        FreeFMUState ALIVE;
        SerializedFMUStateSize ALIVE;
        SerializeFMUState ALIVE;
        DeserializeFMUState ALIVE;
        GetDirectionalDerivative N|V|C|T|E;
        GetAdjointDerivative N|V|C|T|E;
        EnterConfigurationMode I;
        ExitConfigurationMode I;
        GetIntervalDecimal 0;
        GetIntervalFraction 0;
        GetShiftDecimal 0;
        GetShiftFraction 0;
        SetIntervalDecimal 0;
        SetIntervalFraction 0;
        SetShiftDecimal 0;
        SetShiftFraction 0;
        EvaluateDiscreteStates V;
        UpdateDiscreteStates V;
        EnterContinuousTimeMode 0;
        CompletedIntegratorStep 0;
        SetTime 0;
        SetContinuousStates 0;
        GetContinuousStateDerivatives 0;
        GetEventIndicators 0;
        GetContinuousStates 0;
        GetNominalsOfContinuousStates 0;
        GetNumberOfEventIndicators 0;
        GetNumberOfContinuousStates 0;
        EnterStepMode V;
        GetOutputDerivatives C|T|E;
        DoStep C;
        ActivateModelPartition 0;
    }
}

#[cfg(test)]
mod tests {
    use lotka_instance::Phase;

    use super::*;

    #[test]
    fn nothing_is_allowed_after_a_fatal_error() {
        assert!(Function::ALL.iter().all(|function| !function.allowed_in(Phase::Fatal)));
    }

    #[test]
    fn steps_and_events_have_their_own_phases() {
        assert!(Function::EnterEventMode.allowed_in(Phase::StepComplete) && !Function::EnterEventMode.allowed_in(Phase::Event));
        for function in [Function::UpdateDiscreteStates, Function::EnterStepMode] {
            assert!(function.allowed_in(Phase::Event) && !function.allowed_in(Phase::StepComplete), "{function}");
        }
    }

    #[test]
    fn after_an_error_only_reset_restore_free_and_reading_remain() {
        for function in [Function::DoStep, Function::Terminate, Function::SetFloat64, Function::EnterInitializationMode] {
            assert!(!function.allowed_in(Phase::Error), "{function}");
        }
        for function in [Function::Reset, Function::SetFMUState, Function::FreeInstance, Function::GetFloat64] {
            assert!(function.allowed_in(Phase::Error), "{function}");
        }
    }
}
