//! Internal steps of an instance whose size does not depend on the communication step size.

use super::Regular;

/// An instance that advances in internal steps, and the bounds of their size \[s\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// The instance.
    pub instance: usize,
    /// The least size that fits \[s\].
    pub low: f64,
    /// The largest size that fits \[s\].
    pub high: f64,
}

/// Relative rounding error of step sizes.
const ROUNDING: f64 = 1e-9;

impl Grid {
    /// The number of internal steps in a time \[s\]; `None` if no possible size divides it, or several do.
    #[must_use]
    pub fn steps_in(&self, time: f64) -> Option<f64> {
        let (least, most) = (time / self.high * (1.0 - ROUNDING), time / self.low * (1.0 + ROUNDING));
        let steps = least.ceil().max(1.0);
        (steps <= most && steps + 1.0 > most).then_some(steps)
    }

    /// The step size to work with \[s\]: one that divides the time, if there is one.
    #[must_use]
    pub fn size(&self, time: f64) -> f64 {
        self.steps_in(time).map_or(0.5 * (self.low + self.high), |steps| time / steps)
    }

    /// The step size with four digits, or the shortest number within the bounds \[s\].
    #[must_use]
    pub fn rounded(&self, time: f64) -> f64 {
        match self.steps_in(time) {
            Some(steps) => rounded_up(time / steps * (1.0 - 1e-4), time / steps * (1.0 + 1e-4)),
            None => rounded_up(self.low, self.high),
        }
    }

    /// The same as text.
    #[must_use]
    pub fn shown(&self, time: f64) -> String {
        size_text(self.rounded(time))
    }
}

/// A step size as text.
#[must_use]
pub fn size_text(size: f64) -> String {
    if (1e-4..1e4).contains(&size) { format!("{size}") } else { format!("{size:e}") }
}

/// The number between these two with the fewest digits.
fn rounded_up(low: f64, high: f64) -> f64 {
    let mut place = high.log10().floor() as i32;
    while place > -300 {
        let digits = |value: f64| if place < 0 { value * 10.0_f64.powi(-place) } else { value / 10.0_f64.powi(place) };
        let count = digits(low).ceil();
        if count <= digits(high) {
            return if place < 0 { count / 10.0_f64.powi(-place) } else { count * 10.0_f64.powi(place) };
        }
        place -= 1;
    }
    high
}

impl From<&Regular> for Grid {
    fn from(pauses: &Regular) -> Self {
        Self { instance: pauses.instance, low: pauses.low, high: pauses.high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_multiples_of_one_size_only() {
        let grid = |low, high| Grid { instance: 0, low, high };
        assert_eq!(grid(0.00999, 0.01001).steps_in(0.1), Some(10.0));
        assert_eq!(grid(0.0299, 0.0301).steps_in(0.1), None);
        assert_eq!(grid(0.009, 0.011).steps_in(1.0), None, "from 91 to 111");
        assert_eq!(grid(0.3333, 0.3334).shown(1.0), "0.3333");
        assert_eq!(grid(0.00999, 0.01001).shown(0.1), "0.01");
        assert_eq!(grid(0.0487, 0.0513).shown(0.02), "0.05");
        assert_eq!(grid(2.0, 2.0).steps_in(1.0), None, "a row inside a step");
        for steps in 1..1000 {
            let time = 0.01 * f64::from(steps);
            assert_eq!(
                grid(0.01, 0.01).steps_in(time),
                Some(f64::from(steps)),
                "rounding of {time:?} / 0.01 is none of its size"
            );
        }
    }

    #[test]
    fn the_size_is_one_that_fits_or_the_middle() {
        let grid = |low, high| Grid { instance: 0, low, high };
        assert_eq!(grid(0.3333, 0.3334).size(1.0), 1.0 / 3.0);
        assert_eq!(grid(0.0299, 0.0301).size(0.1), 0.03);
    }

    #[test]
    fn the_size_is_shown_with_few_digits() {
        let grid = |low, high| Grid { instance: 0, low, high }.shown(0.0);
        assert_eq!(grid(123.0, 131.0), "130");
        assert_eq!(grid(1234.0, 1234.6), "1234");
        assert_eq!(grid(7.2, 8.4), "8");
        assert_eq!(grid(1.3e-7, 1.38e-7), "1.3e-7");
    }
}
