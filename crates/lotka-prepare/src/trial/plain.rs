//! Numbers with as few digits as possible.

use std::ops::RangeInclusive;

/// The number with the fewest digits in an interval.
#[must_use]
pub fn shortest(interval: RangeInclusive<f64>) -> Option<f64> {
    let middle = 0.5 * (interval.start() + interval.end());
    (0..17).filter_map(|digits| format!("{middle:.digits$e}").parse().ok()).find(|number| interval.contains(number))
}

/// The number with the fewest digits within `slack` of a value.
#[must_use]
pub fn near(value: f64, slack: f64) -> f64 {
    shortest(value - slack..=value + slack).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_with_the_fewest_digits_is_taken() {
        assert_eq!(shortest(0.1229..=0.1231), Some(0.123));
        assert_eq!(shortest(-20.4..=-19.9), Some(-20.0));
        assert_eq!(shortest(3.0..=3.0), Some(3.0));
        assert_eq!(shortest(2.0..=1.0), None);
        let digit = 2.0_f64.powi(-53);
        let levels = [2.500000000000001, 5.799999999999999, 0.1234567890123456].map(|level| near(level, 8.0 * digit));
        assert_eq!(levels, [2.5, 5.8, 0.123456789012346]);
        assert_eq!([near(0.1 + 1e-12, 1e-11), near(0.1 + 1e-10, 1e-11), near(0.0, 0.0)], [0.1, 0.1 + 1e-10, 0.0]);
    }
}
