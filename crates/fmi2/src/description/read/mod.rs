//! The reader of `modelDescription.xml`.

use super::{ModelDescription, Problem, Problems, Reading, Severity, Strictness};

impl ModelDescription {
    /// Reads a `modelDescription.xml`.
    ///
    /// # Errors
    /// All problems, when one of them makes the description unusable (or, strictly, when there are any).
    pub fn read(xml: &[u8], _strictness: Strictness) -> Result<Reading, Problems> {
        let message = format!("{} bytes were not read: the reader is not complete", xml.len());
        Err(Problems(vec![Problem { severity: Severity::Error, rule: "reader", line: 0, column: 0, message, remedy: None }]))
    }
}
