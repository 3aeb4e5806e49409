//! What the guard asks about a function, in either version of FMI.

use std::fmt::Display;

use lotka_instance::Phase;

/// A function of one version of FMI.
pub(crate) trait Called: Copy + Display {
    /// The functions that lead out of an error, as they are called in messages.
    const WAYS_OUT: &str;

    /// Whether the call table allows it.
    fn is_allowed_in(self, phase: Phase) -> bool;
    /// Whether it reads variables.
    fn reads_variables(self) -> bool;
    /// Whether importers may call it while an instance asks for values in a step.
    fn serves_intermediate_update(self) -> bool;
    /// Whether a successful call leaves a ready instance with the mark that its phase requires.
    fn keeps_mark(self) -> bool;
    /// Whether a discard leaves the instance in a state from which it cannot continue.
    fn fails_step(self) -> bool;
}

impl Called for fmi2::Function {
    const WAYS_OUT: &str = "fmi2Reset or fmi2SetFMUstate";

    #[inline]
    fn is_allowed_in(self, phase: Phase) -> bool {
        self.allowed_in(phase)
    }

    fn reads_variables(self) -> bool {
        matches!(self, Self::GetReal | Self::GetInteger | Self::GetBoolean | Self::GetString)
    }

    fn serves_intermediate_update(self) -> bool {
        false
    }

    #[inline]
    fn keeps_mark(self) -> bool {
        use fmi2::Function::{
            DoStep, GetBoolean, GetDirectionalDerivative, GetFMUstate, GetInteger, GetReal, GetRealOutputDerivatives, GetString,
            SetBoolean, SetFMUstate, SetInteger, SetReal, SetRealInputDerivatives, SetString,
        };
        let accesses_values =
            matches!(self, GetReal | GetInteger | GetBoolean | GetString | SetReal | SetInteger | SetBoolean | SetString);
        let accesses_derivatives = matches!(self, GetDirectionalDerivative | GetRealOutputDerivatives | SetRealInputDerivatives);
        accesses_values || accesses_derivatives || matches!(self, DoStep | GetFMUstate | SetFMUstate)
    }

    fn fails_step(self) -> bool {
        self == Self::DoStep
    }
}

impl Called for fmi3::Function {
    const WAYS_OUT: &str = "fmi3Reset or fmi3SetFMUState";

    #[inline]
    fn is_allowed_in(self, phase: Phase) -> bool {
        self.allowed_in(phase)
    }

    #[inline]
    fn reads_variables(self) -> bool {
        use fmi3::Function::{
            GetBinary, GetBoolean, GetFloat32, GetFloat64, GetInt8, GetInt16, GetInt32, GetInt64, GetString, GetUInt8, GetUInt16,
            GetUInt32, GetUInt64,
        };
        let reads_integers =
            matches!(self, GetInt8 | GetUInt8 | GetInt16 | GetUInt16 | GetInt32 | GetUInt32 | GetInt64 | GetUInt64);
        reads_integers || matches!(self, GetFloat32 | GetFloat64 | GetBoolean | GetString | GetBinary)
    }

    fn serves_intermediate_update(self) -> bool {
        self == Self::SetFloat64
    }

    #[inline]
    fn keeps_mark(self) -> bool {
        use fmi3::Function::{
            DoStep, GetDirectionalDerivative, GetFMUState, GetOutputDerivatives, SetBinary, SetBoolean, SetFMUState, SetFloat32,
            SetFloat64, SetInt8, SetInt16, SetInt32, SetInt64, SetString, SetUInt8, SetUInt16, SetUInt32, SetUInt64,
        };
        let sets_integers =
            matches!(self, SetInt8 | SetUInt8 | SetInt16 | SetUInt16 | SetInt32 | SetUInt32 | SetInt64 | SetUInt64);
        let sets = sets_integers || matches!(self, SetFloat32 | SetFloat64 | SetBoolean | SetString | SetBinary);
        let accesses_derivatives = matches!(self, GetDirectionalDerivative | GetOutputDerivatives);
        self.reads_variables() || sets || accesses_derivatives || matches!(self, DoStep | GetFMUState | SetFMUState)
    }

    fn fails_step(self) -> bool {
        false
    }
}
