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
        GetVersion SetDebugLogging => ALIVE;
        InstantiateModelExchange InstantiateCoSimulation InstantiateScheduledExecution => 0;
        FreeInstance => ALIVE;
        EnterInitializationMode => I;
        ExitInitializationMode => N;
        EnterEventMode => C;
        Terminate => V|C;
        Reset => ALIVE;
        GetFloat32 GetFloat64 GetInt8 GetUInt8 GetInt16 GetUInt16 GetInt32 GetUInt32 GetInt64 GetUInt64 GetBoolean GetString
            GetBinary => N|V|C|T|E;
        GetClock => 0;
        SetFloat32 SetFloat64 SetInt8 SetUInt8 SetInt16 SetUInt16 SetInt32 SetUInt32 SetInt64 SetUInt64 SetBoolean SetString
            SetBinary => I|N|V|C;
        SetClock => 0;
        GetNumberOfVariableDependencies GetVariableDependencies => I|N|V|C;
        GetFMUState SetFMUState FreeFMUState SerializedFMUStateSize SerializeFMUState DeserializeFMUState => ALIVE;
        GetDirectionalDerivative GetAdjointDerivative => N|V|C|T|E;
        EnterConfigurationMode ExitConfigurationMode => I;
        GetIntervalDecimal GetIntervalFraction GetShiftDecimal GetShiftFraction SetIntervalDecimal SetIntervalFraction
            SetShiftDecimal SetShiftFraction => 0;
        EvaluateDiscreteStates UpdateDiscreteStates => V;
        EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates GetContinuousStateDerivatives
            GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates GetNumberOfEventIndicators
            GetNumberOfContinuousStates => 0;
        EnterStepMode => V;
        GetOutputDerivatives => C|T|E;
        DoStep => C;
        ActivateModelPartition => 0;
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
