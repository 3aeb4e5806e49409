//! What was seen of an FMU.

use super::questions::HostileQuestion;
use super::trial::{Trial, Way};
use super::verdict::HostileVerdict;

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostileItem {
    /// Name of the question.
    pub name: &'static str,
    /// The answer.
    pub verdict: HostileVerdict,
    /// Why, in one line.
    pub explanation: String,
}

/// What an FMU does to the program that runs it: one item for each question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostileReport {
    /// In the order of the questions.
    pub items: Vec<HostileItem>,
    /// How the FMU ran: in which sandbox, or why without one, and how far.
    pub way: String,
    /// Whether it ran in a sandbox.
    pub is_confined: bool,
    /// Why it could not be watched.
    pub failure: Option<String>,
    /// It could not be watched because it ended its process or did not return in time.
    pub process_ended: bool,
}

impl HostileReport {
    pub(super) fn new(trial: &Trial) -> Self {
        let seen = &trial.main.seen;
        let trouble = seen.trouble.as_ref().filter(|_| !seen.works);
        Self {
            items: Vec::new(),
            way: way(trial),
            is_confined: trial.way != Way::Plain,
            failure: trouble.map(|trouble| trouble.text.clone()),
            process_ended: trouble.is_some_and(|trouble| trouble.process_ended),
        }
    }

    pub(super) fn add(&mut self, question: &HostileQuestion, (verdict, explanation): (HostileVerdict, String)) {
        self.items.push(HostileItem { name: question.name, verdict, explanation });
    }

    /// How many questions have this answer.
    #[must_use]
    pub fn count(&self, verdict: HostileVerdict) -> usize {
        self.items.iter().filter(|item| item.verdict == verdict).count()
    }
}

fn way(trial: &Trial) -> String {
    let steps = match &trial.main.harness {
        Some(harness) if trial.main.seen.works => format!("{} steps of {} s", harness.steps, harness.h),
        _ => "no steps".to_owned(),
    };
    let reason = trial.reason.as_ref().map(|trouble| trouble.text.as_str()).unwrap_or_default();
    match trial.way {
        Way::Sandbox if trial.main.seen.works => format!("{steps} in a sandbox"),
        Way::Sandbox => format!("{steps}: it works neither in a sandbox nor without one"),
        Way::Reading => format!("{steps} in a sandbox that lets it read all files; with its own files alone: {reason}"),
        Way::Plain => format!("{steps} without a sandbox; in one: {reason}"),
    }
}
