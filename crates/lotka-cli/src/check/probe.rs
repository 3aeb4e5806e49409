//! Results of a test run of an FMU, as a table and as JSON.

use std::time::Duration;

use lotka::{Code, ProbeItem, ProbeOptions, ProbeReport, ProbeVerdict, Soundness};
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use crate::{
    exit::ExitCode,
    failure::Failure,
    table::{self, row},
};

/// Runs the FMU and tests it.
pub(super) fn run(arguments: &Arguments) -> Result<ProbeReport, Failure> {
    let options = ProbeOptions { time_limit: time_limit(arguments)?, ..ProbeOptions::default() };
    Ok(lotka::probe_fmu(&arguments.path, &options))
}

/// Returns the time limit of a call.
pub(super) fn time_limit(arguments: &Arguments) -> Result<Duration, Failure> {
    let limit = Duration::try_from_secs_f64(arguments.time_limit).ok().filter(|limit| !limit.is_zero());
    limit.ok_or_else(|| Failure::Usage {
        code: Code::WrongUsage,
        reason: format!("expected a number of seconds for --time-limit, such as 2.5, found {}", arguments.time_limit),
    })
}

/// Converts the verdict to an exit code. With `--strict`, a usable FMU counts as unusable.
pub(super) fn exit_code(report: &ProbeReport, is_strict: bool) -> ExitCode {
    match report.soundness() {
        Soundness::Sound => ExitCode::Done,
        Soundness::Usable if is_strict => ExitCode::Fmu,
        Soundness::Usable => ExitCode::Limited,
        Soundness::Unusable if report.items.iter().any(|item| item.is_vital && item.process_ended) => ExitCode::Process,
        Soundness::Unusable => ExitCode::Fmu,
    }
}

/// Formats a line for each test, a summary, and what to avoid.
pub(super) fn table(report: &ProbeReport) -> String {
    let line = |item: &ProbeItem| row([item.name, item.verdict.name(), &item.explanation]);
    let counted = [ProbeVerdict::Pass, ProbeVerdict::Fail, ProbeVerdict::Note, ProbeVerdict::NotSupported, ProbeVerdict::Skipped];
    let is_shown = |verdict: &ProbeVerdict| *verdict != ProbeVerdict::Note || report.count(*verdict) > 0;
    let counts = counted.into_iter().filter(is_shown).map(|verdict| format!("{} {}", report.count(verdict), verdict.name()));
    let summary = counts.collect::<Vec<_>>().join(", ");
    let lines = table::columns("  ", &report.items.iter().map(line).collect::<Vec<_>>());
    let avoid = table::columns("  ", &avoided(report).map(|(name, text)| row([name, text])).collect::<Vec<_>>());
    format!("{lines}{summary}\n{}", if avoid.is_empty() { avoid } else { format!("avoid\n{avoid}") })
}

/// Returns what to avoid with a usable FMU, and the test that says so.
fn avoided(report: &ProbeReport) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_usable = report.soundness() == Soundness::Usable;
    report.failures().filter_map(move |item| item.avoid.filter(|_| is_usable).map(|avoid| (item.name, avoid)))
}

pub(super) fn json(report: &ProbeReport) -> Value {
    let item = |item: &ProbeItem| {
        json!({
            "name": item.name,
            "verdict": item.verdict.name(),
            "explanation": item.explanation,
            "avoid": item.avoid,
            "process_ended": item.process_ended,
        })
    };
    json!({
        "verdict": report.soundness().name(),
        "usable": report.soundness() != Soundness::Unusable,
        "avoid": avoided(report).map(|(name, avoid)| (name.to_owned(), avoid.into())).collect::<Map<_, _>>(),
        "passed": report.count(ProbeVerdict::Pass),
        "failed": report.count(ProbeVerdict::Fail),
        "notes": report.count(ProbeVerdict::Note),
        "not_supported": report.count(ProbeVerdict::NotSupported),
        "skipped": report.count(ProbeVerdict::Skipped),
        "items": report.items.iter().map(item).collect::<Vec<_>>(),
    })
}
