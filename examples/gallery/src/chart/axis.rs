//! Axes: convert values to pixels and choose round ticks.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// Approximate number of labeled ticks on a linear axis.
const TICKS: f64 = 7.0;

/// A logarithmic axis with more decades than this has labels at powers of ten only.
const MANY_DECADES: f64 = 2.5;

/// A linear or logarithmic axis between two round numbers. Values outside are drawn at its ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    label: String,
    logarithmic: bool,
    low: f64,
    high: f64,
    /// Positions of the labels, in order.
    ticks: Vec<f64>,
}

impl Axis {
    /// Creates a linear axis from 0 to 1; [`Axis::over`] sets its range.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), logarithmic: false, low: 0.0, high: 1.0, ticks: vec![0.0, 1.0] }
    }

    /// Creates a logarithmic axis that starts at `low`; smaller values are drawn there.
    pub fn logarithmic(label: impl Into<String>, low: f64) -> Self {
        Self { label: label.into(), logarithmic: true, low, high: 10.0 * low, ticks: vec![low, 10.0 * low] }
    }

    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// Covers these values, up to the next ticks. A single value gets a margin; without values, the axis does not change.
    #[must_use]
    pub fn over(mut self, values: impl Iterator<Item = f64>) -> Self {
        let lowest = if self.logarithmic { self.low } else { f64::NEG_INFINITY };
        let widen = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
        let (low, high) = values.map(|value| value.max(lowest)).fold((f64::INFINITY, f64::NEG_INFINITY), widen);
        if low > high {
            return self;
        }
        (self.low, self.high) = if low < high { (low, high) } else { self.around(low) };
        self.ticks = if self.logarithmic { self.powers() } else { self.multiples() };
        if let [first, .., last] = self.ticks[..] {
            (self.low, self.high) = (first, last);
        }
        self
    }

    /// Returns a range around a single value: a tenth of it to either side, or one around zero; a decade on a logarithmic axis.
    fn around(&self, value: f64) -> (f64, f64) {
        let room = if value == 0.0 { 1.0 } else { 0.1 * value.abs() };
        if self.logarithmic { (value, 10.0 * value) } else { (value - room, value + room) }
    }

    /// Returns multiples of 1, 2 or 5 times a power of ten that enclose the values.
    fn multiples(&self) -> Vec<f64> {
        let raw = (self.high - self.low) / TICKS;
        let power = 10_f64.powf(raw.log10().floor());
        let step = power * [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= raw * (1.0 - 1e-9)).unwrap_or(10.0);
        let (first, last) = ((self.low / step + 1e-9).floor(), (self.high / step - 1e-9).ceil());
        (0..=(last - first) as usize).map(|index| (first + index as f64) * step).collect()
    }

    /// Returns powers of ten that enclose the values, with 2 and 5 times these if there is room.
    fn powers(&self) -> Vec<f64> {
        let many = (self.high / self.low).log10() > MANY_DECADES;
        let ticks = self.in_decades(if many { &[1.0] } else { &[1.0, 2.0, 5.0] });
        let first = ticks.iter().rposition(|tick| *tick <= self.low * (1.0 + 1e-9)).unwrap_or(0);
        let end = ticks.iter().position(|tick| *tick >= self.high * (1.0 - 1e-9)).map_or(ticks.len(), |last| last + 1);
        ticks[first..end].to_vec()
    }

    /// Returns these factors times all powers of ten around the axis.
    fn in_decades(&self, factors: &[f64]) -> Vec<f64> {
        let decades = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
        decades.flat_map(|decade| factors.iter().map(move |factor| factor * 10_f64.powi(decade))).collect()
    }

    /// Returns the label of a tick, with as many decimals as the distance to the next tick needs.
    pub(crate) fn text(&self, value: f64) -> String {
        let exponent = |number: f64| (number.log10() + 1e-9).floor() as i32;
        if self.logarithmic && self.ticks[1] > 9.0 * self.ticks[0] {
            return format!("10{}", superscript(exponent(value)));
        }
        let finest = if self.logarithmic { value } else { self.ticks[1] - self.ticks[0] };
        format!("{value:.*}", usize::try_from(-exponent(finest)).unwrap_or(0)).replace('-', "−")
    }

    fn share(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }
}

fn superscript(exponent: i32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |character: char| character.to_digit(10).map_or('⁻', |digit| digits[digit as usize]);
    exponent.to_string().chars().map(raise).collect()
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        first + (f64::from(last - first) * self.share(*value)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if !hint.weight().allow_light_points() {
            return self.ticks.clone();
        }
        if !self.logarithmic {
            return Vec::new();
        }
        let minor = self.in_decades(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        minor.into_iter().filter(|tick| (self.low..=self.high).contains(tick)).collect()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.text(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|tick| axis.text(*tick)).collect()
    }

    #[test]
    fn linear_axes_end_at_round_numbers() {
        assert_eq!(labels(&Axis::linear("").over([1.2, 38.9].into_iter())), ["0", "10", "20", "30", "40"]);
        assert_eq!(labels(&Axis::linear("").over([-0.11, 0.1].into_iter())), ["−0.15", "−0.10", "−0.05", "0.00", "0.05", "0.10"]);
        assert_eq!(
            labels(&Axis::linear("").over([8.0, 41.0].into_iter())),
            ["5", "10", "15", "20", "25", "30", "35", "40", "45"]
        );
        assert_eq!(labels(&Axis::linear("").over([0.0, 100.0].into_iter())), ["0", "20", "40", "60", "80", "100"]);
    }

    #[test]
    fn logarithmic_axes_end_at_round_numbers() {
        assert_eq!(
            labels(&Axis::logarithmic("", 1e-9).over([0.004, 0.1].into_iter())),
            ["0.002", "0.005", "0.01", "0.02", "0.05", "0.1"]
        );
        assert_eq!(
            labels(&Axis::logarithmic("", 1.0).over([150.0, 45_000.0].into_iter())),
            ["100", "200", "500", "1000", "2000", "5000", "10000", "20000", "50000"]
        );
        assert_eq!(labels(&Axis::logarithmic("", 1e-3).over([0.0, 3.0].into_iter())), ["10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"]);
    }

    #[test]
    fn axes_of_one_value_or_none_have_an_extent() {
        assert_eq!(labels(&Axis::linear("").over([0.0, 0.0].into_iter())), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(&Axis::linear("").over([5.5].into_iter())), ["4.8", "5.0", "5.2", "5.4", "5.6", "5.8", "6.0", "6.2"]);
        assert_eq!(labels(&Axis::linear("").over([].into_iter())), ["0", "1"]);
        assert_eq!(labels(&Axis::logarithmic("", 1e-9).over([1e-3].into_iter())), ["0.001", "0.002", "0.005", "0.01"]);
    }

    #[test]
    fn values_outside_are_drawn_at_the_ends() {
        let axis = Axis::linear("").over([0.0, 10.0].into_iter());
        assert_eq!([-1.0, 0.0, 5.0, 11.0].map(|value| axis.map(&value, (100, 0))), [100, 100, 50, 0]);
    }
}
