//! How the run ended, its warnings, and how accurate its results are.

use maud::{Markup, html};
use serde_json::Value;

/// Formats how the run ended, in a sentence or two, and its key facts.
pub(super) fn headline(document: &Value) -> Markup {
    let outcome = &document["outcome"];
    let algorithm = document["algorithm"].as_str();
    let duration = document["wall_time"].as_f64();
    html! {
        @if let Some((is_good, sentence)) = verdict(document) {
            p.verdict.good[is_good].bad[!is_good] { (sentence) }
        }
        dl.facts {
            @if let Some(algorithm) = algorithm { dt { "Method" } dd { (algorithm) } }
            @if let Some(tolerance) = document["settings"]["experiment"]["tolerance"].as_f64() { dt { "Tolerance" } dd { (format!("{tolerance:e}")) } }
            @if let Some(steps) = counter(outcome, "n_steps") { dt { "Steps" } dd { (steps) } }
            @if let Some(calls) = counter(outcome, "n_do_step_calls") { dt { "fmi2DoStep calls" } dd { (calls) } }
            @if let Some(started) = document["started"].as_str() { dt { "Started" } dd { (started) } }
            @if let Some(duration) = duration { dt { "Took" } dd { (format!("{duration:.3} s")) } }
            @if let Some(host) = document["host"].as_str() { dt { "On" } dd { (host) } }
        }
    }
}

/// Returns a counter of the run, if the counting process completed.
fn counter(outcome: &Value, name: &str) -> Option<u64> {
    outcome["statistics"][name].as_u64().filter(|_| outcome["time"].is_number())
}

/// Returns whether the run succeeded, and a sentence; `None` if there was no run.
fn verdict(document: &Value) -> Option<(bool, String)> {
    let Some(outcome) = document.get("outcome") else {
        let is_run = document["command"].is_array();
        return is_run.then(|| (false, "The run has not ended; it replaces this page at its end.".to_owned()));
    };
    let time = outcome["time"].as_f64().map(|time| format!(" at t = {time} s")).unwrap_or_default();
    let accuracy = accuracy_of(outcome);
    Some(match outcome["end"].as_str().unwrap_or_default() {
        "stop-time" => (outcome["error"].is_null(), format!("The stop time was reached{time}.{accuracy}")),
        "tolerance-not-reached" if accuracy.is_empty() => (false, "The tolerance was not reached.".to_owned()),
        "tolerance-not-reached" => (false, accuracy.trim_start().to_owned()),
        "terminated-by-instance" => (true, format!("An FMU requested the end{time}.")),
        "canceled" => (false, format!("The run was interrupted{time}.{accuracy}")),
        _ => (false, format!("The run failed{time}.{accuracy}")),
    })
}

/// Says whether the tolerance was kept, after another sentence; nothing without one.
fn accuracy_of(outcome: &Value) -> String {
    let sentence = |verdict: &str| format!(" {}{}.", verdict[..1].to_uppercase(), &verdict[1..]);
    outcome["verdict"].as_str().filter(|verdict| verdict.is_char_boundary(1)).map(sentence).unwrap_or_default()
}

/// Lists errors, warnings, and missing parts of the report.
pub(super) fn warnings(document: &Value, notes: &[String]) -> Markup {
    let error = document["outcome"]["error"].as_str();
    let warnings = document["outcome"]["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
    html! {
        @if let Some(error) = error { p.error { (error) } }
        @for warning in warnings { p.warning { (warning) } }
        @for note in notes { p.warning { (note) } }
    }
}

/// Describes the errors of the results; `None` if there is nothing to report.
pub(super) fn accuracy(document: &Value, has_plots: bool) -> Option<Markup> {
    let outcome = &document["outcome"];
    let estimates = outcome["global_error_estimate"].as_object();
    let reason = unknown(outcome).filter(|_| estimates.is_none());
    (has_plots || estimates.is_some() || reason.is_some()).then(|| {
        html! {
            section id="accuracy" {
                h2 { "Accuracy" }
                @if let Some(reason) = reason {
                    p { "The error of these results is unknown because " (reason) "; run with " code { "tolerance" } " to bound it." }
                }
                @if let Some(estimates) = estimates {
                    (estimated(outcome))
                    table {
                        tr { th { "variable" } th { "absolute error" } th { "relative error" } }
                        @for (name, estimate) in estimates.iter().filter(|(_, estimate)| estimate.is_object()) {
                            tr { th { (name) } td { (short(&estimate["absolute"])) } td { (short(&estimate["relative"])) } }
                        }
                    }
                }
                @if has_plots { div.plots #plots-errors {} }
                (runs(&document["steps"]["runs"]))
            }
        }
    })
}

fn estimated(outcome: &Value) -> Markup {
    let own = match outcome["own_error_estimate"].as_f64() {
        Some(own) => format!("Error inside the FMUs: {own:.1e}."),
        None => "Error inside the FMUs: unknown.".to_owned(),
    };
    html! {
        p { "Largest relative error, estimated: " strong { (short(&outcome["global_error_estimate"]["largest"])) } ". " (own) }
    }
}

/// Returns why the error is unknown; `None` if nothing was run.
fn unknown(outcome: &Value) -> Option<&'static str> {
    let has_steps = counter(outcome, "n_steps").is_some_and(|steps| steps > 0);
    has_steps.then(|| match outcome["largest_error_estimate"].is_number() {
        true => "only the local error of each step was controlled",
        false => "the step size was fixed",
    })
}

/// Lists the runs that a `tolerance` took.
fn runs(runs: &Value) -> Markup {
    let runs = runs.as_array().map(Vec::as_slice).unwrap_or_default();
    html! {
        @if !runs.is_empty() {
            h3 { "Runs" }
            table {
                tr { th { "steps" } th { "estimated largest error after this run" } }
                @for run in runs { tr { td { (run["steps"]) } td { (short(&run["estimate"])) } } }
            }
        }
    }
}

/// Formats a number with two digits.
fn short(number: &Value) -> String {
    number.as_f64().map_or_else(|| "–".to_owned(), |number| format!("{number:.1e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_run_is_judged_by_its_end() {
        let of = |outcome: Value| verdict(&json!({ "outcome": outcome }));
        let kept = json!({ "end": "stop-time", "time": 2.0, "verdict": "tolerance 1e-6 kept by the coupling" });
        let sentence = "The stop time was reached at t = 2 s. Tolerance 1e-6 kept by the coupling.";
        assert_eq!(of(kept), Some((true, sentence.to_owned())));
        let missed = json!({ "end": "tolerance-not-reached", "verdict": "tolerance 1e-6 not reached: noise" });
        assert_eq!(of(missed), Some((false, "Tolerance 1e-6 not reached: noise.".to_owned())));
        let canceled = json!({ "end": "canceled", "verdict": "tolerance 1e-6 not reached" });
        assert_eq!(of(canceled), Some((false, "The run was interrupted. Tolerance 1e-6 not reached.".to_owned())));
        assert_eq!(of(json!({ "end": "failed" })), Some((false, "The run failed.".to_owned())));
        assert_eq!(of(json!({ "end": "stop-time", "error": "disk full" })).map(|(is_good, _)| is_good), Some(false));
        assert_eq!(verdict(&json!({})), None);
    }

    #[test]
    fn errors_that_nobody_knows_are_not_passed_over() {
        let text = |outcome: Value| accuracy(&json!({ "outcome": outcome }), false).map(Markup::into_string).unwrap_or_default();
        let fixed = text(json!({ "time": 1.0, "statistics": { "n_steps": 3 }, "largest_error_estimate": null }));
        assert!(fixed.contains("unknown because the step size was fixed"), "{fixed}");
        let local = text(json!({ "time": 1.0, "statistics": { "n_steps": 3 }, "largest_error_estimate": 0.5 }));
        assert!(local.contains("only the local error of each step"), "{local}");
        assert_eq!(text(json!({ "time": 1.0, "statistics": { "n_steps": 0 } })), "");
    }
}
