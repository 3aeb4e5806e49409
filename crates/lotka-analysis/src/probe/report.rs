//! The results of a probe.

use lotka_instance::{BehaviorRecord, Restriction};

use super::{
    answer::{Answer, Finding, ProbeVerdict},
    question::ProbeQuestion,
    trouble::Trouble,
};

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
    /// What to avoid with the FMU, if it fails the question.
    pub avoid: Option<&'static str>,
    /// A call failed that every run needs.
    pub is_vital: bool,
    /// The FMU brought its process to an end (crash, abort, exit) or did not return in time.
    pub process_ended: bool,
    /// Whether it failed because a step was discarded.
    pub(super) is_discarded: bool,
}

/// What the answers add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Soundness {
    /// The FMU fails no question.
    Sound,
    /// It can be run, but what [`ProbeItem::avoid`] names is to be avoided.
    Usable,
    /// No run with it ends well.
    Unusable,
}

impl Soundness {
    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Usable => "usable",
            Self::Unusable => "unusable",
        }
    }
}

/// What became of a probe: one item for each question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProbeReport {
    /// In the order of the questions.
    pub items: Vec<ProbeItem>,
    /// What was measured, for later runs.
    pub record: BehaviorRecord,
}

impl ProbeReport {
    pub(super) fn new() -> Self {
        Self { items: Vec::new(), record: BehaviorRecord::new() }
    }

    /// What the answers add up to.
    #[must_use]
    pub fn soundness(&self) -> Soundness {
        if self.items.iter().any(|item| item.is_vital) {
            Soundness::Unusable
        } else if self.failures().next().is_some() {
            Soundness::Usable
        } else {
            Soundness::Sound
        }
    }

    /// The questions that the FMU fails.
    pub fn failures(&self) -> impl Iterator<Item = &ProbeItem> {
        self.items.iter().filter(|item| item.verdict == ProbeVerdict::Fail)
    }

    /// Whether the FMU fails before its first step, so that no other question is possible.
    pub(super) fn ends_before_steps(&self) -> bool {
        self.items.first().is_some_and(|item| item.is_vital && !item.is_discarded)
    }

    /// How many questions have this answer.
    #[must_use]
    pub fn count(&self, verdict: ProbeVerdict) -> usize {
        self.items.iter().filter(|item| item.verdict == verdict).count()
    }

    pub(super) fn add(&mut self, question: &ProbeQuestion, answer: Result<Answer, Trouble>) {
        let is_vital = answer.is_err() && question.is_vital;
        let (answer, process_ended, is_discarded) = match answer {
            Ok(answer) => (answer, false, false),
            Err(trouble) => (Answer::fail(trouble.text), trouble.process_ended, trouble.is_discarded),
        };
        let Answer { verdict, explanation, finding } = answer;
        let avoid = (verdict == ProbeVerdict::Fail).then_some(question.avoid);
        match finding {
            Some(Finding::RefusedSizes(sizes)) => self.record.refused_sizes = Some(sizes),
            Some(Finding::OwnSteps(steps)) => self.record.own_steps = Some(steps),
            Some(Finding::Rollback(rollback)) => self.record.rollback = Some(rollback),
            Some(Finding::Repetition(comparison)) => self.record.repetition = Some(comparison),
            Some(Finding::Together(comparison)) => self.record.together = Some(comparison),
            None => {}
        }
        self.record.restrictions.extend(avoid.map(|avoid| Restriction {
            question: question.name.to_owned(),
            explanation: explanation.clone(),
            avoid: avoid.to_owned(),
        }));
        self.items.push(ProbeItem { name: question.name, verdict, explanation, avoid, is_vital, process_ended, is_discarded });
    }

    /// The report of an FMU that cannot be loaded.
    pub(super) fn unrecoverable(questions: impl Iterator<Item = &'static ProbeQuestion>, trouble: Trouble) -> Self {
        let mut report = Self::new();
        let mut reason = Some(trouble);
        for question in questions {
            report.add(question, reason.take().map_or_else(|| Ok(Answer::skipped("the FMU cannot be loaded")), Err));
        }
        report
    }
}
