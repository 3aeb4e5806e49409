//! The result of a run as JSON.

use lotka::{
    Counters, Discontinuity, FoundSwitch, FoundTimes, GlobalError, InstanceReport, InternalSteps, PowerBondReport, Problem,
    Problems, Report, Severity,
};
use serde_json::{Map, Value, json};

/// Returns the run as one JSON object, the `outcome` of a manifest. Without a report (nothing was run), the time is null and all
/// counters are zero. `start` contains the start values that were solved for. `verdict` says in a sentence whether the tolerance
/// was kept. Without `tolerance`, the entries about the global error are null. Infinite estimates and an unknown error inside the
/// FMUs are also null. A rough estimate is always null here: whoever makes one adds it.
#[must_use]
pub fn outcome(report: Option<&Report>) -> Value {
    let instances: Map<_, _> = report.iter().flat_map(|report| &report.instances).map(instance).collect();
    let warnings: Vec<_> = report.iter().flat_map(|report| &report.warnings).collect();
    let error = report.and_then(|report| report.global_error.as_ref());
    let found = report.iter().flat_map(|report| &report.found_start).map(|found| (found.variable.clone(), found.value.into()));
    json!({
        "verdict": error.map(GlobalError::verdict),
        "end": report.map_or("failed", |report| report.end.name()),
        "time": report.map(|report| report.time),
        "statistics": counters(&report.map(|report| report.counters).unwrap_or_default()),
        "largest_error_estimate": report.and_then(|report| report.largest_error_estimate),
        "global_error_estimate": error.map(estimates),
        "rough_error_estimate": null,
        "reached": error.map(|error| error.reached),
        "reason": error.filter(|error| !error.reached).map(|error| error.reason.as_str()),
        "own_error_estimate": error.and_then(|error| error.internal_error),
        "checked": error.map(|error| error.n_checks > 0),
        "distance": error.map(|error| error.resolution),
        "bends": error.map(|error| error.discontinuities.iter().map(discontinuity).collect::<Vec<_>>()),
        "internal_steps": error.map(|error| error.internal_steps.iter().map(internal_steps).collect::<Vec<_>>()),
        "switches": error.map(|error| error.switches.iter().map(switch).collect::<Vec<_>>()),
        "times": error.map(|error| error.times.iter().map(times).collect::<Vec<_>>()),
        "suggested_events": error.map(|error| &error.suggested_events),
        "start": found.collect::<Map<_, _>>(),
        "runs": error.map(|error| &error.steps),
        "power_bonds": report.iter().flat_map(|report| &report.power_bonds).map(power_bond).collect::<Map<_, _>>(),
        "instances": instances,
        "warnings": warnings.iter().map(|warning| warning.text.as_str()).collect::<Vec<_>>(),
        "warning_codes": warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(),
    })
}

/// Returns a jump or a kink of a signal.
fn discontinuity(place: &Discontinuity) -> Value {
    json!({ "time": place.time, "variable": place.variable, "jumps": place.jumps })
}

/// Returns a level at which an instance switches.
fn switch(found: &FoundSwitch) -> Value {
    json!({ "instance": found.instance, "variable": found.variable, "level": found.level })
}

/// Returns the times at which an instance acts.
fn times(found: &FoundTimes) -> Value {
    json!({ "instance": found.instance, "every": found.every, "offset": found.offset })
}

/// Returns an instance with internal steps.
fn internal_steps(steps: &InternalSteps) -> Value {
    json!({ "instance": steps.instance, "size": steps.size_text() })
}

/// Returns a problem of a system; a missing place or help is null.
#[must_use]
pub fn problem(problems: &Problems, problem: &Problem) -> Value {
    let file = problems.file_of(problem);
    let place = file.and_then(|file| problem.position(&file.text));
    json!({
        "code": problem.code.as_str(),
        "severity": if problem.severity == Severity::Error { "error" } else { "warning" },
        "file": file.map(|file| &file.path),
        "line": place.map(|(line, _)| line),
        "column": place.map(|(_, column)| column),
        "message": problem.message,
        "help": problem.help,
    })
}

/// Returns the largest estimate, and the largest estimates of each variable under its name.
fn estimates(error: &GlobalError) -> Value {
    let each = error.outputs.iter().map(|output| {
        let estimate = json!({ "absolute": output.absolute, "relative": output.relative, "scale": output.scale, "kept_until": output.kept_until });
        (output.name.clone(), estimate)
    });
    let mut estimates: Map<_, _> = each.collect();
    estimates.insert("largest".to_owned(), error.largest.into());
    estimates.into()
}

fn counters(counters: &Counters) -> Value {
    json!({
        "n_steps": counters.n_steps,
        "n_step_attempts": counters.n_step_attempts,
        "n_error_test_failures": counters.n_error_test_failures,
        "n_convergence_failures": counters.n_convergence_failures,
        "n_iterations": counters.n_iterations,
        "n_rollbacks": counters.n_rollbacks,
        "n_discards": counters.n_discards,
        "n_events": counters.n_events,
        "n_do_step_calls": counters.n_do_step_calls,
        "n_trial_calls": counters.n_trial_calls,
    })
}

/// Returns the name of a power bond and its energies \[J\].
fn power_bond(bond: &PowerBondReport) -> (String, Value) {
    let energies = json!({
        "residual_energy": bond.residual_energy,
        "absolute_residual_energy": bond.absolute_residual_energy,
        "exchanged_energy": bond.exchanged_energy,
    });
    (bond.name.clone(), energies)
}

/// Returns the name of an instance and its calls per function; with `--profile` also the time \[s\].
fn instance(instance: &InstanceReport) -> (String, Value) {
    let mut calls: Map<_, _> = instance.calls.iter().map(|&(function, count)| (function.to_owned(), count.into())).collect();
    if let Some(time) = instance.time {
        calls.insert("time".to_owned(), time.as_secs_f64().into());
    }
    (instance.name.clone(), calls.into())
}
