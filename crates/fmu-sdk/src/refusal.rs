//! The refusal of a request by a model.

/// The reason why a model refuses a request. The message is written to the importer's log.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Refusal(Box<Inner>);

#[derive(Debug, Clone, PartialEq)]
struct Inner {
    message: String,
    kind: RefusalKind,
}

/// The consequence of a [`Refusal`] for the importer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RefusalKind {
    /// The request was not carried out; another one may succeed, for example a smaller step.
    Discard {
        /// Time up to which the step was computed \[s\]; `None` if none of it was.
        last_successful_time: Option<f64>,
        /// Whether the model requests the end of the simulation at that time.
        terminate: bool,
    },
    /// The step has stopped early. The model has the values of that time.
    Stop {
        /// The time that was reached \[s\].
        time: f64,
        /// Whether an event must be handled at that time.
        event: bool,
    },
    /// The instance cannot continue until it is reset or a saved state is restored.
    Error,
}

impl Refusal {
    /// Creates a refusal of a request that was not carried out; a smaller step or another value may succeed.
    pub fn discard(message: impl Into<String>) -> Self {
        Self::new(message.into(), RefusalKind::Discard { last_successful_time: None, terminate: false })
    }

    /// Creates a refusal of a step that was carried out up to `time` \[s\] only. A step that ends there may succeed, for example
    /// because an event happens there. The importer reads the time with `fmi2GetRealStatus` (last successful time), and returns
    /// to a saved state to make that step.
    pub fn discard_at(time: f64, message: impl Into<String>) -> Self {
        Self::new(message.into(), RefusalKind::Discard { last_successful_time: Some(time), terminate: false })
    }

    /// Creates a refusal of a step that reached `time` \[s\], where the simulation must end. The model has the values of that
    /// time, for importers that read them without rollback.
    pub fn terminate(time: f64, message: impl Into<String>) -> Self {
        Self::new(message.into(), RefusalKind::Discard { last_successful_time: Some(time), terminate: true })
    }

    /// Stops a step at `time` \[s\], where an event must be handled. The model has the values of that time, before the event. It
    /// may be the end of the step. Then [`Model::update_discrete_states`](crate::Model::update_discrete_states) is called. What
    /// remains of the step follows: as a step of its own if an importer of FMI 3.0 handles events and allows early returns,
    /// otherwise at once.
    #[must_use]
    pub fn event(time: f64) -> Self {
        Self::new(format!("an event happens at {time} s"), RefusalKind::Stop { time, event: true })
    }

    /// Stops a step at `time` \[s\], where the model asks for an exchange of values. The model has the values of that time. What
    /// remains of the step follows: as a step of its own if an importer of FMI 3.0 allows early returns, otherwise at once.
    #[must_use]
    pub fn early_return(time: f64) -> Self {
        Self::new(format!("values must be exchanged at {time} s"), RefusalKind::Stop { time, event: false })
    }

    /// Creates a refusal by a model that cannot continue.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(message.into(), RefusalKind::Error)
    }

    #[cold]
    fn new(message: String, kind: RefusalKind) -> Self {
        Self(Box::new(Inner { message, kind }))
    }

    /// Returns the consequence for the importer.
    #[must_use]
    pub fn kind(&self) -> RefusalKind {
        self.0.kind
    }

    /// Converts the refusal to an error with the same message.
    pub(crate) fn into_error(mut self) -> Self {
        self.0.kind = RefusalKind::Error;
        self
    }
}
