//! Log lines.

use std::collections::BTreeSet;

use fmi2::Function;
use lotka_instance::{Cause, Instance, LogMessage};

use super::answer::Answer;
use super::probe_run::ProbeRun;
use super::test_harness::TestHarness;
use super::trouble::Trouble;

/// The categories of the standard (FMI 2.0.5, section 2.2.4); the importer writes in them, too.
const STANDARD: [&str; 10] = [
    "logEvents",
    "logSingularLinearSystems",
    "logNonlinearSystems",
    "logDynamicStateSelection",
    "logStatusWarning",
    "logStatusDiscard",
    "logStatusError",
    "logStatusFatal",
    "logStatusPending",
    "logAll",
];

/// Category that the host assigns to printed lines.
pub(super) const PRINTED: &str = "output";

/// Logging on and off, with unknown categories.
pub(super) fn logging(harness: &TestHarness) -> Result<Answer, Trouble> {
    let listed: BTreeSet<_> = harness.fmu.description().log_categories().collect();
    let all: Vec<_> = listed.iter().copied().collect();
    let mut run = ProbeRun::instantiated(harness, true)?;
    run.initialize(&harness.experiment)?;
    for (on, categories) in [(true, &[][..]), (true, &all), (false, &all), (false, &[])] {
        let set = run.instance.set_debug_logging(on, categories);
        set.map_err(|error| {
            Trouble::from(error).during(&format!("{} with {categories:?}", harness.function(Function::SetDebugLogging)))
        })?;
        run.steps(1)?;
    }
    let mut lines = run.lines();
    let mut refused = 0;
    for category in ["no such category", ""] {
        let (of_category, is_refused) = undefined(harness, category)?;
        lines.extend(of_category);
        refused += u32::from(is_refused);
    }
    let known = |category: &str| listed.contains(category) || STANDARD.contains(&category) || category == PRINTED;
    Ok(match lines.iter().find(|line| !known(&line.category)) {
        Some(line) if line.category.is_empty() && listed.is_empty() => {
            Answer::pass("the FMU has no categories, and logs without")
        }
        Some(line) => Answer::fail(format!("it logs in the category \"{}\", which its description does not list", line.category)),
        None if refused > 0 => Answer::pass(format!("{} lines; categories that are not listed are refused", lines.len())),
        None => Answer::pass(format!("{} lines", lines.len())),
    })
}

/// The log lines for an unlisted category, and whether the FMU refuses it, which the standard permits.
fn undefined(harness: &TestHarness, category: &str) -> Result<(Vec<LogMessage>, bool), Trouble> {
    let mut run = ProbeRun::instantiated(harness, true)?;
    run.initialize(&harness.experiment)?;
    match run.instance.set_debug_logging(true, &[category]) {
        Err(error) if matches!(error.cause, Cause::Status(_)) => return Ok((run.lines(), true)),
        other => other.map_err(|error| {
            Trouble::from(error).during(&format!("{} with {category:?}", harness.function(Function::SetDebugLogging)))
        })?,
    }
    run.steps(1)?;
    Ok((run.lines(), false))
}
