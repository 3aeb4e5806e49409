//! Log lines.

use std::collections::BTreeSet;

use fmi2::Instance;

use super::bench::Bench;
use super::course::Course;
use super::report::Answer;
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

/// What the host calls what was printed instead of logged.
pub(super) const PRINTED: &str = "output";

/// Logging on and off, with categories that nobody knows.
pub(super) fn logging(bench: &Bench) -> Result<Answer, Trouble> {
    let listed: BTreeSet<_> = bench.fmu.description().log_categories.iter().map(|category| category.name.as_str()).collect();
    let all: Vec<_> = listed.iter().copied().collect();
    let mut course = Course::instantiated(bench, true)?;
    course.initialize(&bench.experiment)?;
    for (on, categories) in
        [(true, &[][..]), (true, &all), (false, &all), (true, &["no such category"]), (true, &[""]), (false, &[])]
    {
        let set = course.instance.set_debug_logging(on, categories);
        set.map_err(|error| Trouble::from(error).during(&format!("fmi2SetDebugLogging with {categories:?}")))?;
        course.steps(1)?;
    }
    let lines = course.lines();
    let known = |category: &str| listed.contains(category) || STANDARD.contains(&category) || category == PRINTED;
    Ok(match lines.iter().find(|line| !known(&line.category)) {
        Some(line) if line.category.is_empty() && listed.is_empty() => {
            Answer::pass("there are no categories, and it logs without")
        }
        Some(line) => Answer::fail(format!("it logs in the category \"{}\", which its description does not list", line.category)),
        None => Answer::pass(format!("{} lines", lines.len())),
    })
}
