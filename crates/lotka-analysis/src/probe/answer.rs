//! The answer to a question, and what later runs can use of it.

use lotka_instance::{Comparison, OwnSteps, RefusedSizes, Rollback};

/// The answer to a question, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProbeVerdict {
    /// As it should be.
    Pass,
    /// Not as it should be.
    Fail,
    /// No fault, but worth knowing.
    Note,
    /// The FMU does not claim to be able to.
    NotSupported,
    /// Could not be asked.
    Skipped,
}

impl ProbeVerdict {
    /// As tables have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Note => "note",
            Self::NotSupported => "not supported",
            Self::Skipped => "skipped",
        }
    }
}

/// An answer.
pub(super) struct Answer {
    pub verdict: ProbeVerdict,
    pub explanation: String,
    pub finding: Option<Finding>,
}

/// What later runs can use of an answer.
pub(super) enum Finding {
    RefusedSizes(RefusedSizes),
    OwnSteps(OwnSteps),
    Rollback(Rollback),
    Repetition(Comparison),
    Together(Comparison),
}

impl Answer {
    fn new(verdict: ProbeVerdict, explanation: impl Into<String>) -> Self {
        Self { verdict, explanation: explanation.into(), finding: None }
    }

    pub fn pass(explanation: impl Into<String>) -> Self {
        Self::new(ProbeVerdict::Pass, explanation)
    }

    pub fn fail(explanation: impl Into<String>) -> Self {
        Self::new(ProbeVerdict::Fail, explanation)
    }

    pub fn note(explanation: impl Into<String>) -> Self {
        Self::new(ProbeVerdict::Note, explanation)
    }

    pub fn not_supported(explanation: impl Into<String>) -> Self {
        Self::new(ProbeVerdict::NotSupported, explanation)
    }

    pub fn skipped(explanation: impl Into<String>) -> Self {
        Self::new(ProbeVerdict::Skipped, explanation)
    }

    /// The same with what later runs can use.
    pub fn with(self, finding: Finding) -> Self {
        Self { finding: Some(finding), ..self }
    }
}
