//! What a session refuses.

/// The reason why a run cannot be made in pieces, or why a session cannot do something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionRefusal {
    /// The run has a `tolerance`.
    #[error(
        "a run with `tolerance` repeats whole runs and cannot be made in pieces; use `local-tolerance` or `step` for a session"
    )]
    Tolerance,
    /// The simulation keeps checkpoints.
    #[error(
        "a session does not write checkpoints; save its state in memory, or build a simulation without a checkpoint token for it"
    )]
    Checkpoints,
    /// An FMU takes steps of one size only.
    #[error(
        "a step cannot end at an arbitrary time, because an FMU takes steps of one size only; advance to the first communication point \
         at or after it"
    )]
    OneSize,
    /// The run has ended or failed.
    #[error("the run is over; finish the session to get its report, or return to a saved point")]
    Over,
    /// The run has failed.
    #[error("the run has failed; finish the session to get the reason")]
    Failed,
    /// Instances cannot save their state.
    #[error(
        "the point cannot be saved, because these instances cannot save their state (canGetAndSetFMUstate): {}",
        .instances.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    )]
    CannotSave {
        /// Their names.
        instances: Vec<String>,
    },
    /// An instance advances only if no earlier state will be restored.
    #[error(
        "the point cannot be saved: instance `{instance}` advances only if the master promises not to restore earlier states \
         (noSetFMUStatePriorToCurrentPoint)"
    )]
    NeedsPromise {
        /// Its name.
        instance: String,
    },
    /// A point was saved by another session.
    #[error("the point was saved by another session; save one in this session")]
    OtherSession,
    /// A handle is one of another session.
    #[error("the handle belongs to a variable of another session; request one from this session")]
    OtherHandle,
    /// A String was to be read as a number.
    #[error("`{variable}` is a String, not a number; use `get` to read it")]
    NotANumber {
        /// `instance.variable`.
        variable: String,
    },
    /// A variable is not a connected input.
    #[error("`{variable}` cannot be connected again: it is not a connected input")]
    NotConnected {
        /// `instance.variable`.
        variable: String,
    },
    /// A source is neither connected nor recorded.
    #[error("`{variable}` is neither connected nor recorded; add it to `record` to read it")]
    NotRecorded {
        /// `source.output`.
        variable: String,
    },
}
