//! What became of a probe.

use super::trouble::Trouble;

/// The answer to a question, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProbeVerdict {
    /// As it should be.
    Pass,
    /// Not as it should be.
    Fail,
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
            Self::NotSupported => "not supported",
            Self::Skipped => "skipped",
        }
    }
}

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProbeItem {
    /// Name of the question.
    pub name: &'static str,
    /// The answer.
    pub verdict: ProbeVerdict,
    /// Why, in one line.
    pub explanation: String,
    /// The FMU brought its process to an end (crash, abort, exit) or did not return in time.
    pub process_ended: bool,
}

/// What became of a probe: one item for each question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ProbeReport {
    /// In the order of the questions.
    pub items: Vec<ProbeItem>,
}

impl ProbeReport {
    /// Whether the answer to this question is that it fails.
    #[must_use]
    pub fn failed(&self, name: &str) -> bool {
        self.items.iter().any(|item| item.name == name && item.verdict == ProbeVerdict::Fail)
    }

    /// Whether the FMU can be run: its life cycle works.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        !self.failed(super::LIFE_CYCLE)
    }

    /// How many questions have this answer.
    #[must_use]
    pub fn count(&self, verdict: ProbeVerdict) -> usize {
        self.items.iter().filter(|item| item.verdict == verdict).count()
    }

    pub(super) fn add(&mut self, name: &'static str, answer: Result<Answer, Trouble>) {
        let (answer, process_ended) = match answer {
            Ok(answer) => (answer, false),
            Err(trouble) => (Answer::fail(trouble.text), trouble.process_ended),
        };
        self.items.push(ProbeItem { name, verdict: answer.verdict, explanation: answer.explanation, process_ended });
    }

    /// The FMU does not even load.
    pub(super) fn hopeless(names: &[&'static str], trouble: Trouble) -> Self {
        let mut report = Self::default();
        let mut reason = Some(trouble);
        for name in names {
            report.add(name, reason.take().map_or_else(|| Ok(Answer::skipped("the FMU cannot be loaded")), Err));
        }
        report
    }
}

/// An answer.
pub(super) struct Answer {
    verdict: ProbeVerdict,
    explanation: String,
}

impl Answer {
    pub fn pass(explanation: impl Into<String>) -> Self {
        Self { verdict: ProbeVerdict::Pass, explanation: explanation.into() }
    }

    pub fn fail(explanation: impl Into<String>) -> Self {
        Self { verdict: ProbeVerdict::Fail, explanation: explanation.into() }
    }

    pub fn not_supported(explanation: impl Into<String>) -> Self {
        Self { verdict: ProbeVerdict::NotSupported, explanation: explanation.into() }
    }

    pub fn skipped(explanation: impl Into<String>) -> Self {
        Self { verdict: ProbeVerdict::Skipped, explanation: explanation.into() }
    }
}
