//! The answer to a question, in a word.

use super::super::answer::ProbeVerdict;

/// The answer to a question, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostileVerdict {
    /// The FMU does it.
    Found,
    /// It does, as most FMUs do.
    Note,
    /// It did not do it as long as it was watched, which proves nothing.
    NotSeen,
    /// It does not claim the capability that is asked for.
    NotDeclared,
    /// There was no way to see it.
    Unknown,
}

impl HostileVerdict {
    /// As tables have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Note => "note",
            Self::NotSeen => "not seen",
            Self::NotDeclared => "not declared",
            Self::Unknown => "unknown",
        }
    }
}

impl From<ProbeVerdict> for HostileVerdict {
    fn from(verdict: ProbeVerdict) -> Self {
        match verdict {
            ProbeVerdict::Pass => Self::NotSeen,
            ProbeVerdict::Fail => Self::Found,
            ProbeVerdict::Note => Self::Note,
            ProbeVerdict::NotSupported => Self::NotDeclared,
            ProbeVerdict::Skipped => Self::Unknown,
        }
    }
}
