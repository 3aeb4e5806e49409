//! A description as text and as JSON, and what all descriptions have in common.

use lotka::Warning;
use serde_json::Value;

use crate::table;

/// The same description as text and as JSON.
pub(super) struct Description {
    pub(super) text: String,
    pub(super) json: Value,
}

/// Returns the codes of warnings, in the order of their [`texts`].
pub(super) fn codes(warnings: &[Warning]) -> Vec<&'static str> {
    warnings.iter().map(|warning| warning.code.as_str()).collect()
}

pub(super) fn texts(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

/// Returns a heading with lines under it, or nothing if there are no lines.
pub(super) fn section(heading: &str, lines: &str) -> String {
    if lines.is_empty() { String::new() } else { format!("\n{heading}\n{lines}") }
}

pub(super) fn warning_section(warnings: &[Warning]) -> String {
    let lines: String =
        warnings.iter().map(|warning| format!("  {}\n", warning.code.mark(&table::clean(&warning.text)))).collect();
    section("warnings", &lines)
}
