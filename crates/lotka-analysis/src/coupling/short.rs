//! Numbers in messages.

use std::fmt;

/// A number to four significant digits.
pub(super) struct Short(pub(super) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = format!("{:.3e}", self.0).parse().unwrap_or(self.0);
        if (1e-4..1e6).contains(&rounded) { write!(f, "{rounded}") } else { write!(f, "{rounded:e}") }
    }
}
