//! A comparison of results as JSON.

use lotka::{Comparison, Pairing, VariableComparison, Verdict};
use serde_json::{Map, Value, json};

/// Returns the name of a verdict in JSON.
#[must_use]
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Same => "same",
        Verdict::Within => "within",
        Verdict::Different => "different",
        Verdict::OtherType => "other-type",
        Verdict::OnlyInFirst => "only-in-first",
        Verdict::OnlyInSecond => "only-in-second",
    }
}

/// Returns the comparison as JSON. Infinite differences and those of text are null.
#[must_use]
pub fn comparison(found: &Comparison) -> Value {
    let variable = |variable: &VariableComparison| {
        let entry = json!({
            "verdict": verdict(variable.verdict),
            "largest_difference": variable.absolute,
            "largest_relative_difference": variable.relative,
            "time": variable.time,
            "differs_from": variable.differs_from,
            "missing": variable.missing,
        });
        (variable.name.clone(), entry)
    };
    let (interpolated, n_rows) = match found.pairing {
        Pairing::RowByRow => (None, found.rows[0]),
        Pairing::Interpolated { coarser, n_rows } => (Some(["second", "first"][coarser]), n_rows),
    };
    json!({
        "equal": found.is_equal(),
        "interpolated": interpolated,
        "compared_rows": n_rows,
        "rows": found.rows,
        "unfinished": found.unfinished.map(|last| last.map(|last| json!({ "line": last.line, "kept": last.is_kept }))),
        "events": found.events,
        "columns": found.variables.iter().map(variable).collect::<Map<_, _>>(),
        "left_out": found.n_left_out,
    })
}
