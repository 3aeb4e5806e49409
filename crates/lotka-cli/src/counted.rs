//! Formats counts with a noun in the singular or plural.

use std::fmt::Display;

/// Formats `1 step`, `2 steps`; the plural of `one` must end with an s.
pub(crate) fn counted(number: impl Display + PartialEq + From<u8>, one: &str) -> String {
    let ending = if number == 1.into() { "" } else { "s" };
    format!("{number} {one}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_has_no_ending() {
        assert_eq!([0_u64, 1, 2].map(|number| counted(number, "step")), ["0 steps", "1 step", "2 steps"]);
    }
}
