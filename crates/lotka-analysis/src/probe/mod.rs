//! The behavior of a running FMU: `lotka check FMU --run`.
//!
//! Each question to the FMU is a function of its own that makes fresh instances in processes of their own, so that a crash, an `exit` or an endless
//! loop affects one question only. Start reading at [`probe_fmu`] and `QUESTIONS`. A new question is a function and a line there; `docs/checks.md`
//! lists them.

mod hostile;
mod life;
mod logs;
mod order;
mod own_steps;
mod probe_run;
mod questions;
mod report;
mod states;
mod steps;
mod test_harness;
mod traces;
mod trouble;
mod values;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use hostile::{HostileItem, HostileOptions, HostileQuestion, HostileReport, HostileVerdict, hostile_items, probe_hostile};
pub use questions::{ProbeQuestion, probe_items};
pub use report::{ProbeItem, ProbeReport, ProbeVerdict, Soundness};

use lotka_host::Sandbox;
use questions::QUESTIONS;
use report::Answer;
use test_harness::TestHarness;

/// How an FMU is probed.
#[derive(Debug, Clone)]
pub struct ProbeOptions {
    /// How long a call may take before it counts as one that does not return.
    pub time_limit: Duration,
    /// The program in which FMUs run; without it the environment variable `LOTKA_FMU_HOST`, then `lotka-fmu-host` beside this program.
    pub host_program: Option<PathBuf>,
    /// How the FMU is confined; unconfined if absent.
    pub sandbox: Option<Sandbox>,
}

impl Default for ProbeOptions {
    fn default() -> Self {
        Self { time_limit: Duration::from_secs(10), host_program: None, sandbox: None }
    }
}

/// Runs an FMU in processes of its own and answers the questions of [`probe_items`]. Whatever the FMU does, this returns: at the latest
/// when each of some hundred calls has taken its time limit.
pub fn probe_fmu(path: impl AsRef<Path>, options: &ProbeOptions) -> ProbeReport {
    let harness = match TestHarness::open(path.as_ref(), options) {
        Ok(harness) => harness.with_possible_steps(),
        Err(trouble) => return ProbeReport::unrecoverable(&QUESTIONS, trouble),
    };
    let mut report = ProbeReport::new();
    for (question, ask) in &QUESTIONS {
        let is_unrecoverable = report.ends_before_steps();
        let answer = if is_unrecoverable { Ok(Answer::skipped("the life cycle fails")) } else { ask(&harness) };
        report.add(question, answer);
    }
    report
}
