//! Describes the declarations of an FMU as text.

use lotka::{FmuInfo, fmi2::description::DefaultExperiment};

use super::{json::log_categories, variables};
use crate::{
    inspect::section,
    table::{self, clean, row, shortened},
};

/// Maximum number of warnings that are listed without `--all`.
const MOST_WARNINGS: usize = 10;

/// Formats one fact per line, then the variables by causality. Lines with only a description are cut at `width`, if there is one.
pub(super) fn text(info: &FmuInfo, lists_all: bool, width: Option<usize>) -> String {
    let facts: Vec<_> = facts(info).into_iter().map(|(name, value)| row([name, &clean(&value)])).collect();
    [
        format!("{}\n\n{}", info.path.display(), table::columns("  ", &facts)),
        section("capabilities", &table::columns("  ", &capabilities(info))),
        section("default experiment", &experiment(info.description.default_experiment.unwrap_or_default())),
        section("log categories", &categories(info, width)),
        variables::sections(info, lists_all, width),
        section("warnings", &warnings(info, lists_all)),
    ]
    .concat()
}

/// Returns the known facts, under the names that people look for.
fn facts(info: &FmuInfo) -> Vec<(&'static str, String)> {
    let description = &info.description;
    let interfaces = match (&description.co_simulation, &description.model_exchange) {
        (Some(_), Some(_)) => "co-simulation and model exchange",
        (Some(_), None) => "co-simulation",
        (None, _) => "model exchange only, which Lotka cannot run",
    };
    let identifier = description.co_simulation.as_ref().map(|co_simulation| co_simulation.interface.model_identifier.clone());
    let platforms = if info.platforms.is_empty() { "none: no libraries".to_owned() } else { info.platforms.join(", ") };
    let facts = [
        ("name", Some(description.model_name.clone())),
        ("description", description.description.clone()),
        ("version", description.version.clone()),
        ("author", description.author.clone()),
        ("copyright", description.copyright.clone()),
        ("license", description.license.clone()),
        ("tool", description.generation_tool.clone()),
        ("made", description.generation_date_and_time.clone()),
        ("GUID", Some(description.guid.clone())),
        ("FMI", Some(format!("{}, {interfaces}", description.fmi_version))),
        ("identifier", identifier),
        ("platforms", Some(platforms)),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value.filter(|value| !value.is_empty())?))).collect()
}

/// Lists the capabilities that the FMU declares.
fn capabilities(info: &FmuInfo) -> Vec<Vec<String>> {
    let declared = &info.capabilities;
    let order = declared.max_output_derivative_order;
    let derivatives = if order > 0 { format!("output derivatives up to order {order}") } else { "output derivatives".to_owned() };
    let list = [
        (declared.variable_step, "variable step sizes"),
        (declared.save_state, "its state is saved and restored (rollback)"),
        (declared.serialize_state, "its state is serialized (checkpoints)"),
        (declared.directional_derivative, "directional derivatives"),
        (declared.interpolate_inputs, "inputs with derivatives are interpolated"),
        (order > 0, &derivatives),
        (declared.run_asynchronously, "asynchronous steps"),
        (!declared.only_once_per_process, "several instances in one process"),
    ];
    list.into_iter().map(|(can, what)| row([if can { "yes" } else { "no" }, what])).collect()
}

fn experiment(experiment: DefaultExperiment) -> String {
    let lines = [
        ("start time", experiment.start_time, " s"),
        ("stop time", experiment.stop_time, " s"),
        ("step size", experiment.step_size, " s"),
        ("tolerance", experiment.tolerance, ""),
    ];
    let rows: Vec<_> =
        lines.into_iter().filter_map(|(name, value, unit)| Some(row([name, &format!("{}{unit}", value?)]))).collect();
    table::columns("  ", &rows)
}

fn categories(info: &FmuInfo, width: Option<usize>) -> String {
    match log_categories(info).join(", ") {
        names if names.is_empty() => names,
        names => format!("  {}\n", shortened(&clean(&names), width.map(|width| width.saturating_sub(2)))),
    }
}

fn warnings(info: &FmuInfo, lists_all: bool) -> String {
    let count = info.warnings.len();
    let shown = if lists_all { count } else { count.min(MOST_WARNINGS) };
    let mut lines: String =
        info.warnings[..shown].iter().map(|warning| format!("  {}\n", warning.code.mark(&clean(&warning.text)))).collect();
    if shown < count {
        lines += &format!("  … and {} more: --all lists them; `lotka check` says what to do\n", count - shown);
    }
    lines
}
