//! The work of the run: steps, what limited them, calls and time per FMU.

use maud::{Markup, html};
use serde_json::Value;

/// Counters of the run, in the order of a manifest, and their names for people.
const COUNTERS: [(&str, &str); 9] = [
    ("n_steps", "steps"),
    ("n_step_attempts", "attempted steps"),
    ("n_error_test_failures", "error test failures"),
    ("n_convergence_failures", "convergence failures"),
    ("n_discards", "steps discarded by an FMU"),
    ("n_iterations", "loop iterations"),
    ("n_rollbacks", "rollbacks"),
    ("n_events", "events"),
    ("n_do_step_calls", "fmi2DoStep calls"),
];

/// Lists the steps, and the outputs that limited them; `None` if there is nothing to report.
pub(super) fn steps(document: &Value, has_plots: bool) -> Option<Markup> {
    // A lost process has not reported its counters.
    let statistics = Some(&document["outcome"]["statistics"]).filter(|_| document["outcome"]["time"].is_number());
    let mut limits: Vec<_> = document["steps"]["limits"].as_object().into_iter().flatten().collect();
    let count = |limit: &Value, key: &str| limit[key].as_u64().unwrap_or(0);
    limits.sort_by_key(|(_, limit)| std::cmp::Reverse(count(limit, "accepted") + count(limit, "rejected")));
    (has_plots || statistics.is_some() || !limits.is_empty()).then(|| {
        html! {
            section id="steps" {
                h2 { "Steps" }
                @if let Some(time) = resumed(document) {
                    p.hint { "Since t = " (time) " s, where the run resumed from a checkpoint; the counters cover the whole run." }
                }
                @if has_plots { div.plots #plots-steps {} }
                @if !limits.is_empty() {
                    h3 { "Step size limits" }
                    p.hint { "The output that contributed most to the error estimate, or to the last change of a loop." }
                    table {
                        tr { th { "output" } th { "accepted steps" } th { "rejected steps" } }
                        @for (name, limit) in limits { tr { th { (name) } td { (limit["accepted"]) } td { (limit["rejected"]) } } }
                    }
                }
                @if let Some(statistics) = statistics { (counters(statistics)) }
            }
        }
    })
}

/// Returns the time at which the run continued from a checkpoint, if it did \[s\].
fn resumed(document: &Value) -> Option<f64> {
    let begin = document["settings"]["experiment"]["start"].as_f64()?;
    document["steps"]["start"].as_f64().filter(|start| *start > begin)
}

fn counters(statistics: &Value) -> Markup {
    let shown = COUNTERS.iter().filter(|(key, _)| statistics[*key].as_u64().is_some_and(|count| count > 0));
    html! {
        h3 { "Counters" }
        table { @for (key, name) in shown { tr { th { (name) } td { (statistics[*key]) } } } }
    }
}

/// Lists calls and time per FMU.
pub(super) fn calls(document: &Value) -> Markup {
    let instances: Vec<_> = document["outcome"]["instances"].as_object().into_iter().flatten().collect();
    let mut functions: Vec<&str> = Vec::new();
    for (_, calls) in &instances {
        let names = calls.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let new: Vec<_> = names.filter(|name| *name != "time" && !functions.contains(name)).collect();
        functions.extend(new);
    }
    html! {
        @if !instances.is_empty() {
            section id="work" {
                h2 { "Work" }
                (times(&instances))
                h3 { "Calls per FMU" }
                table {
                    tr { th {} @for function in &functions { th { (function) } } }
                    @for (name, calls) in &instances {
                        tr { th { (name) } @for function in &functions { td { (calls[*function].as_u64().unwrap_or(0)) } } }
                    }
                }
            }
        }
    }
}

/// Draws bars; the longest is that of the FMU that took the most time.
fn times(instances: &[(&String, &Value)]) -> Markup {
    let times: Vec<_> = instances.iter().filter_map(|(name, calls)| Some((*name, calls["time"].as_f64()?))).collect();
    let (sum, most) = times.iter().fold((0.0, 0.0_f64), |(sum, most), (_, time)| (sum + time, most.max(*time)));
    html! {
        h3 { "Time per FMU" }
        @if times.is_empty() { p.hint { "Not measured; run with " code { "--report" } " or " code { "--profile" } "." } }
        table.bars {
            @for (name, time) in &times {
                tr {
                    th { (name) }
                    td { (format!("{time:.3e} s")) }
                    td { (format!("{:.0} %", share(*time, sum))) }
                    td.bar { div style=(format!("width: {:.1}%", share(*time, most))) {} }
                }
            }
        }
    }
}

/// Returns a share in percent.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_limits_most_comes_first() {
        let limits = json!({ "a.x": { "accepted": 1, "rejected": 0 }, "b.y": { "accepted": 5, "rejected": 2 } });
        let text = steps(&json!({ "steps": { "limits": limits } }), true).map(Markup::into_string).unwrap_or_default();
        assert!(text.find("b.y") < text.find("a.x"), "{text}");
    }

    #[test]
    fn the_longest_bar_is_that_of_the_slowest() {
        let instances = json!({ "a": { "do_step": 2, "time": 1.0 }, "b": { "do_step": 4, "time": 3.0 } });
        let text = calls(&json!({ "outcome": { "instances": instances } })).into_string();
        assert!(text.contains("width: 100.0%") && text.contains("75 %") && text.contains("width: 33.3%"), "{text}");
        assert!(!text.contains("Not measured"));
        let text = calls(&json!({ "outcome": { "instances": { "a": { "do_step": 2 } } } })).into_string();
        assert!(text.contains("Not measured"), "{text}");
    }
}
