//! The content of a report.

use serde_json::Value;

use crate::Table;

/// A run, as far as it is known.
#[derive(Debug, Default)]
pub struct Subject {
    /// The manifest; for a results file, little more than its name.
    pub document: Value,
    /// The rows, if there are any.
    pub table: Option<Table>,
    /// Notes on missing parts.
    pub notes: Vec<String>,
}
