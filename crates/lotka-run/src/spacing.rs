//! Rows with a minimum distance, for steps that do not end at rows.

use lotka_plan::time::passed;
use lotka_step::checkpoint::{Transfer, Transferred};

/// Rows at the first communication points at or after the multiples of a distance, counted from the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spacing {
    start: f64,
    interval: f64,
    /// The multiple of the last row.
    last: f64,
}

impl Spacing {
    /// Creates the spacing from start time and distance \[s\]; the row at the start already exists.
    pub(crate) fn new(start: f64, interval: f64) -> Self {
        Self { start, interval, last: 0.0 }
    }

    /// Whether a row is due at this time.
    #[inline]
    pub(crate) fn is_due(&self, time: f64) -> bool {
        self.multiple(time) > self.last
    }

    /// Records the row at this time.
    #[inline]
    pub(crate) fn made(&mut self, time: f64) {
        self.last = self.multiple(time);
    }

    fn multiple(&self, time: f64) -> f64 {
        passed(self.start, time, self.interval)
    }

    pub(crate) fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(start: f64, interval: f64, times: &[f64]) -> Vec<f64> {
        let mut spacing = Spacing::new(start, interval);
        let mut rows = Vec::new();
        for &time in times {
            if spacing.is_due(time) {
                spacing.made(time);
                rows.push(time);
            }
        }
        rows
    }

    #[test]
    fn each_multiple_has_one_row_at_the_first_point_that_is_not_before_it() {
        assert_eq!(rows(0.0, 1.0, &[0.4, 0.9, 1.3, 1.9, 2.0, 2.1, 5.5, 5.9, 6.0]), [1.3, 2.0, 5.5, 6.0]);
        assert_eq!(rows(10.0, 1.0, &[10.5, 11.0, 11.5]), [11.0]);
        let tenths: Vec<_> = (1..=9).map(|n| f64::from(n) * 0.1).collect();
        assert_eq!(rows(0.0, 0.3, &tenths), [tenths[2], tenths[5], tenths[8]]);
        // 0.3 / 0.1 is below 3, and 0.7 / 0.1 below 7.
        assert_eq!(rows(0.0, 0.1, &[0.25, 0.3, 0.65, 0.7]), [0.25, 0.3, 0.65, 0.7], "rounding makes no row late");
        assert_eq!(rows(0.0, 0.1, &[0.25, 0.299_999, 0.31]), [0.25, 0.31], "what is not rounding is before the multiple");
        assert_eq!(rows(0.0, 0.01, &tenths), tenths, "steps that are longer have a row each");
    }
}
