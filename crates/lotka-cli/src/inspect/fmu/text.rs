//! Describes the declarations of an FMU as text.

use lotka::{BehaviorRecord, FmuInfo, instance::description::DefaultExperiment};

use super::{json::log_categories, variables};
use crate::{
    behavior,
    inspect::description::section,
    table::{self, clean, row, shortened},
};

/// Maximum number of warnings that are listed without `--all`.
const MOST_WARNINGS: usize = 10;

/// Formats one fact per line, then the variables by causality. Lines with only a description are cut at `width`, if there is one.
pub(super) fn text(info: &FmuInfo, record: Option<&BehaviorRecord>, lists_all: bool, width: Option<usize>) -> String {
    let facts: Vec<_> = facts(info).into_iter().map(|(name, value)| row([name, &clean(&value)])).collect();
    [
        format!("{}\n\n{}", info.path.display(), table::columns("  ", &facts)),
        section("capabilities", &table::columns("  ", &capabilities(info))),
        section("behavior in a test run", &behavior(record)),
        section("default experiment", &experiment(info.interface.default_experiment.unwrap_or_default())),
        section("log categories", &categories(info, width)),
        variables::sections(info, lists_all, width),
        section("warnings", &warnings(info, lists_all)),
    ]
    .concat()
}

/// Returns the known facts, under the names that people look for.
fn facts(info: &FmuInfo) -> Vec<(&'static str, String)> {
    let (description, interface) = (&info.description, &info.interface);
    let interfaces = match description.interface_types().collect::<Vec<_>>()[..] {
        [] => "no interface".to_owned(),
        ["co-simulation", ..] => description.interface_types().collect::<Vec<_>>().join(" and "),
        [only] => format!("{only} only, which Lotka cannot run"),
        [..] => format!("{}, which Lotka cannot run", description.interface_types().collect::<Vec<_>>().join(" and ")),
    };
    let token = if description.as_fmi2().is_some() { "GUID" } else { "token" };
    let platforms = if info.platforms.is_empty() { "none: no libraries".to_owned() } else { info.platforms.join(", ") };
    let facts = [
        ("name", Some(interface.model_name.clone())),
        ("description", interface.description.clone()),
        ("version", interface.version.clone()),
        ("author", description.author().map(str::to_owned)),
        ("copyright", description.copyright().map(str::to_owned)),
        ("license", description.license().map(str::to_owned)),
        ("tool", interface.generation_tool.clone()),
        ("made", interface.generation_date_and_time.clone()),
        (token, Some(interface.token.clone())),
        ("FMI", Some(format!("{}, {interfaces}", description.fmi_version()))),
        ("identifier", description.model_identifier().map(str::to_owned)),
        ("platforms", Some(platforms)),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value.filter(|value| !value.is_empty())?))).collect()
}

/// Lists what a test run has measured.
fn behavior(record: Option<&BehaviorRecord>) -> String {
    let Some(record) = record else { return "  not measured; `lotka check --run` does\n".to_owned() };
    let facts = behavior::lines(record);
    let facts = facts.iter().map(|(name, text)| row([name, &clean(text)]));
    let restrictions = record.restrictions.iter();
    let restrictions = restrictions
        .map(|found| row([&*clean(&found.question), &*clean(&format!("{}; avoid {}", found.explanation, found.avoid))]));
    table::columns("  ", &facts.chain(restrictions).collect::<Vec<_>>())
}

/// Lists the capabilities that the FMU declares.
fn capabilities(info: &FmuInfo) -> Vec<Vec<String>> {
    let declared = &info.interface.capabilities;
    let order = declared.max_output_derivative_order;
    let derivatives = if order > 0 { format!("output derivatives up to order {order}") } else { "output derivatives".to_owned() };
    let of_version = match info.description.as_fmi2() {
        Some(_) => (declared.run_asynchronously, "asynchronous steps"),
        None => (declared.event_mode, "events in event mode"),
    };
    let list = [
        (declared.variable_step, "variable step sizes"),
        (declared.save_state, "its state is saved and restored (rollback)"),
        (declared.serialize_state, "its state is serialized (checkpoints)"),
        (declared.directional_derivative, "directional derivatives"),
        (declared.interpolate_inputs, "inputs with derivatives are interpolated"),
        (order > 0, &derivatives),
        of_version,
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
