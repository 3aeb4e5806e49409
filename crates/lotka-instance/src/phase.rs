//! The phases of an instance.

use std::fmt;

/// The phase of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum Phase {
    /// After instantiation or reset.
    Instantiated,
    /// In initialization mode.
    Initialization,
    /// At a communication point, ready for the next step.
    StepComplete,
    /// An asynchronous step is in progress.
    StepInProgress,
    /// The last step was discarded.
    StepFailed,
    /// An asynchronous step was canceled.
    StepCanceled,
    /// After terminate.
    Terminated,
    /// After an error; only reset, restore and free are possible.
    Error,
    /// Lost. No function may be called.
    Fatal,
    /// In event mode (FMI 3.0), at a communication point.
    Event,
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
            Self::Event => "event mode",
        })
    }
}
