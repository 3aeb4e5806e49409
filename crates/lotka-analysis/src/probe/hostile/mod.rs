//! What an FMU does to the program that runs it: `lotka check FMU --hostile`.
//!
//! The FMU runs in a sandbox; what the sandbox denies is named, and what happens in the process of the FMU is read from outside.
//! Without a sandbox it runs only if it does not work in one. No answer claims more than what was seen. Start reading at
//! [`probe_hostile`] and `QUESTIONS`; `docs/checks.md` lists them.

mod burdens;
mod calls;
mod files;
mod host;
mod observation;
mod options;
mod process;
mod questions;
mod refused;
mod report;
mod site;
mod trial;
mod verdict;

use std::path::Path;

pub use options::HostileOptions;
pub use questions::{HostileQuestion, hostile_items};
pub use report::{HostileItem, HostileReport};
pub use verdict::HostileVerdict;

use questions::{QUESTIONS, answer};
use trial::Trial;

/// Runs an FMU in processes of its own and reports what it does to its surroundings. Whatever the FMU does, this returns.
#[must_use]
pub fn probe_hostile(path: impl AsRef<Path>, options: &HostileOptions) -> HostileReport {
    let trial = Trial::of(path.as_ref(), options);
    let mut report = HostileReport::new(&trial);
    for (question, ask) in &QUESTIONS {
        report.add(question, answer(&trial, question, *ask));
    }
    report
}
