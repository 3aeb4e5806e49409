//! Times and step sizes as text.

use std::fmt;

/// A time or step size with all digits that read back to the same number, so that nothing that an FMU sees is hidden.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown(pub f64);

/// Numbers outside of this range have a power of ten.
const PLAIN: std::ops::Range<f64> = 1e-4..1e15;

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0.0 || PLAIN.contains(&self.0.abs()) { write!(f, "{}", self.0) } else { write!(f, "{:e}", self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_digits_are_shown_and_read_back() {
        for (value, text) in [(0.1, "0.1"), (3e-7, "3e-7"), (0.0, "0"), (1e9, "1000000000"), (0.3 - 0.2, "0.09999999999999998")] {
            assert_eq!(Shown(value).to_string(), text);
            assert_eq!(text.parse::<f64>(), Ok(value));
        }
    }
}
