//! The behavior of a running FMU: `lotka check FMU --run`.
//!
//! Each question to the FMU is a function of its own that makes fresh instances in processes of their own, so that a crash, an
//! `exit` or an endless loop affects one question only. Start reading at [`probe_fmu`] and `QUESTIONS`. A new question is a
//! function and a line there; `docs/checks.md` lists them.

mod answer;
mod hostile;
mod life;
mod listing;
mod logs;
mod options;
mod order;
mod own_steps;
mod possible_steps;
mod probe_run;
mod question;
mod questions;
mod readable;
mod report;
mod states;
mod steps;
mod test_harness;
mod traces;
mod trouble;
mod values;
mod variables;

use std::path::Path;

pub use answer::ProbeVerdict;
pub use hostile::{HostileItem, HostileOptions, HostileQuestion, HostileReport, HostileVerdict, hostile_items, probe_hostile};
pub use options::ProbeOptions;
pub use question::ProbeQuestion;
pub use questions::probe_items;
pub use report::{ProbeItem, ProbeReport, Soundness};

use answer::Answer;
use possible_steps::with_possible_steps;
use questions::QUESTIONS;
use test_harness::TestHarness;

/// Runs an FMU in processes of its own and answers the questions of [`probe_items`]. Whatever the FMU does, this returns: at the
/// latest when each of some hundred calls has taken its time limit.
pub fn probe_fmu(path: impl AsRef<Path>, options: &ProbeOptions) -> ProbeReport {
    let harness = match TestHarness::open(path.as_ref(), options) {
        Ok(harness) => with_possible_steps(harness),
        Err(trouble) => return ProbeReport::unrecoverable(probe_items(), trouble),
    };
    let mut report = ProbeReport::new();
    for (question, ask) in &QUESTIONS {
        let is_unrecoverable = report.ends_before_steps();
        let answer = if is_unrecoverable { Ok(Answer::skipped("the life cycle fails")) } else { ask(&harness) };
        report.add(question, answer);
    }
    report
}
