//! Linear scales with round numbers at their ticks.

/// Distance of numbers below which their halves may be equal.
const SMALLEST: f64 = 1e3 * f64::MIN_POSITIVE;

/// A stretch of numbers, and the numbers at its ticks.
#[derive(Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) least: f64,
    pub(super) largest: f64,
    pub(super) ticks: Vec<f64>,
    /// Distance of the ticks.
    step: f64,
}

impl Scale {
    /// Returns a scale from `least` to `largest` with about `count` ticks. A single number gets room on both sides.
    pub(super) fn new((least, largest): (f64, f64), count: usize) -> Self {
        let (least, largest) = if largest - least > SMALLEST { (least, largest) } else { around(least) };
        // Half of each: their difference may be larger than the largest number.
        let half = (0.5 * largest - 0.5 * least) / count.max(1) as f64;
        let power = 10_f64.powf((2.0 * half).log10().floor()).max(f64::MIN_POSITIVE);
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= 2.0 * half);
        let step = step.filter(|step| step.is_finite()).unwrap_or(largest - least);
        let first = (least / step - 1e-9).ceil();
        let ticks =
            (0..=count + 1).map(|number| (first + number as f64) * step).take_while(|tick| *tick <= largest + 1e-9 * step);
        // No negative zero.
        Self { least, largest, ticks: ticks.map(|tick| tick + 0.0).collect(), step }
    }

    /// Returns the share of the stretch below a number.
    pub(super) fn share(&self, number: f64) -> f64 {
        (0.5 * number - 0.5 * self.least) / (0.5 * self.largest - 0.5 * self.least)
    }

    /// Formats the number at a tick with the digits that tell it from its neighbors.
    pub(super) fn label(&self, tick: f64) -> String {
        let size = self.least.abs().max(self.largest.abs());
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        if (1e-4..1e6).contains(&size) && digits < 8 {
            return format!("{tick:.digits$}");
        }
        let power = |number: f64| (number * (1.0 + 1e-9)).log10().floor();
        let significant = (power(tick.abs().max(self.step)) - power(self.step)).clamp(0.0, 15.0) as usize;
        format!("{tick:.significant$e}")
    }
}

/// A stretch around a number.
fn around(number: f64) -> (f64, f64) {
    let room = if number == 0.0 { 1.0 } else { 0.1 * number.abs() };
    (number - room, number + room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(least: f64, largest: f64) -> Vec<String> {
        let scale = Scale::new((least, largest), 5);
        scale.ticks.iter().map(|tick| scale.label(*tick)).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(labels(0.0, 100.0), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(-0.31, 0.42), ["-0.2", "0.0", "0.2", "0.4"]);
        assert_eq!(labels(3.0, 3.0), ["2.8", "3.0", "3.2"]);
        assert_eq!(labels(0.0, 0.0), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(0.0, 3e-8), ["0e0", "1e-8", "2e-8", "3e-8"]);
    }

    #[test]
    fn extreme_numbers_have_scales_too() {
        for (least, largest) in [(f64::MIN, f64::MAX), (0.0, 5e-324), (1e300, 1.1e300), (1.0, 1.0 + 1e-12), (-1e-320, 1e308)] {
            let scale = Scale::new((least, largest), 5);
            assert!(scale.ticks.len() <= 7, "{scale:?}");
            assert!(scale.ticks.iter().all(|tick| !scale.label(*tick).contains("NaN")), "{scale:?}");
            assert!((0.0..=1.0).contains(&scale.share(0.5 * least + 0.5 * largest)), "{scale:?}");
        }
    }
}
