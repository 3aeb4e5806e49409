//! What an FMU did when it ran, as a table and as JSON.

use std::time::Duration;

use lotka::{Code, ProbeItem, ProbeOptions, ProbeReport, ProbeVerdict};
use serde_json::{Value, json};

use super::Arguments;
use crate::{
    exit::ExitCode,
    failure::Failure,
    table::{self, row},
};

/// Runs the FMU.
pub(super) fn run(arguments: &Arguments) -> Result<ProbeReport, Failure> {
    let time_limit = Duration::try_from_secs_f64(arguments.time_limit).ok().filter(|limit| !limit.is_zero());
    let Some(time_limit) = time_limit else {
        return Err(Failure::Usage {
            code: Code::WrongUsage,
            reason: format!("--time-limit {} is no time: give seconds, as in 2.5", arguments.time_limit),
        });
    };
    Ok(lotka::probe_fmu(&arguments.path, &ProbeOptions { time_limit, ..ProbeOptions::default() }))
}

/// An FMU whose life cycle fails cannot be used. Other failures count with `--strict`.
pub(super) fn exit_code(report: &ProbeReport, is_strict: bool) -> ExitCode {
    match report.items.iter().find(|item| item.verdict == ProbeVerdict::Fail) {
        Some(item) if !report.is_usable() => {
            if item.process_ended {
                ExitCode::Process
            } else {
                ExitCode::Fmu
            }
        }
        Some(_) if is_strict => ExitCode::Fmu,
        _ => ExitCode::Done,
    }
}

/// A line for each question, and one that sums up.
pub(super) fn table(report: &ProbeReport) -> String {
    let line = |item: &ProbeItem| row([item.name, item.verdict.name(), &item.explanation]);
    let summary = [ProbeVerdict::Pass, ProbeVerdict::Fail, ProbeVerdict::NotSupported, ProbeVerdict::Skipped]
        .map(|verdict| format!("{} {}", report.count(verdict), verdict.name()))
        .join(", ");
    format!("{}{summary}\n", table::columns("  ", &report.items.iter().map(line).collect::<Vec<_>>()))
}

pub(super) fn json(report: &ProbeReport) -> Value {
    let item = |item: &ProbeItem| {
        json!({
            "name": item.name,
            "verdict": item.verdict.name(),
            "explanation": item.explanation,
            "process_ended": item.process_ended,
        })
    };
    json!({
        "usable": report.is_usable(),
        "passed": report.count(ProbeVerdict::Pass),
        "failed": report.count(ProbeVerdict::Fail),
        "not_supported": report.count(ProbeVerdict::NotSupported),
        "skipped": report.count(ProbeVerdict::Skipped),
        "items": report.items.iter().map(item).collect::<Vec<_>>(),
    })
}
