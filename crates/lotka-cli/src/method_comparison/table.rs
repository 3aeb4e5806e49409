//! Table of work and error, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{
    attempt::{Measured, Refusal},
    common::{CommonSettings, Steps},
    reference::Reference,
};
use crate::table;

type Tried<'a> = [(&'a str, Result<Measured, Refusal>)];

/// Formats the table with a header that explains its numbers.
pub(super) fn text(common: &CommonSettings, reference: &Reference, tried: &Tried<'_>) -> String {
    let mut text = String::new();
    let error = &reference.error;
    let kept = if error.reached { "kept" } else { "not reached" };
    let _ = writeln!(
        text,
        "reference: tolerance {:e} {kept} with {} doStep calls; estimated error {:.1e}",
        error.tolerance, reference.calls, error.largest
    );
    let _ = writeln!(text, "methods: {}, rows every {} s", steps(common.steps), common.interval);
    let _ = writeln!(text, "errors are the largest of all rows, relative to max(|y|, s) as under `tolerance`");
    if matches!(common.steps, Steps::Fixed { .. }) {
        let _ = writeln!(text, "orders are observed when the step is halved");
    }
    text.push('\n');
    let mut rows = vec![table::row(["method", "doStep calls", "steps", "error", "order"])];
    rows.extend(tried.iter().map(|(name, outcome)| match outcome {
        Ok(measured) => row(name, measured, reference),
        Err(refusal) => [table::row([name, "-", "-", "-", "-"]), vec![refusal.reason.replace('\n', "; ")]].concat(),
    }));
    text + &table::columns("", &rows)
}

fn steps(steps: Steps) -> String {
    match steps {
        Steps::Fixed { step, derived: false } => format!("fixed steps of {step} s"),
        Steps::Fixed { step, derived: true } => {
            format!("fixed steps of {step} s (a tenth of the distance of the rows: only `tolerance` is given)")
        }
        Steps::Controlled { tolerance } => format!("local tolerance {tolerance:e}"),
    }
}

fn row(name: &str, measured: &Measured, reference: &Reference) -> Vec<String> {
    let own = reference.error.largest;
    let error = if measured.error < own { format!("< {own:.1e}") } else { format!("{:.1e}", measured.error) };
    let order = measured.order.map_or_else(|| "-".to_owned(), |order| format!("{order:.1}"));
    vec![name.to_owned(), measured.n_do_step_calls.to_string(), measured.n_steps.to_string(), error, order]
}

/// Returns the table as JSON. Errors below that of the reference are not replaced.
pub(super) fn json(common: &CommonSettings, reference: &Reference, tried: &Tried<'_>) -> Value {
    let (step, local_tolerance) = match common.steps {
        Steps::Fixed { step, .. } => (Some(step), None),
        Steps::Controlled { tolerance } => (None, Some(tolerance)),
    };
    let methods: Vec<_> = tried.iter().map(|(name, outcome)| method(name, outcome)).collect();
    json!({
        "reference": {
            "tolerance": reference.error.tolerance,
            "reached": reference.error.reached,
            "largest": reference.error.largest,
            "n_do_step_calls": reference.calls,
        },
        "step": step,
        "local_tolerance": local_tolerance,
        "output_interval": common.interval,
        "methods": methods,
    })
}

fn method(name: &str, outcome: &Result<Measured, Refusal>) -> Value {
    match outcome {
        Ok(measured) => json!({
            "method": name,
            "algorithm": measured.algorithm,
            "n_do_step_calls": measured.n_do_step_calls,
            "n_steps": measured.n_steps,
            "largest_error": measured.error,
            "order": measured.order,
        }),
        Err(refusal) => json!({ "method": name, "failure": refusal.reason }),
    }
}
