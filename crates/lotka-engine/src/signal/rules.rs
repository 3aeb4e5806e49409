//! The choice of known values for a polynomial of a degree, and their weights in the present step.

use super::{
    History, MAX_DEGREE,
    polynomial::{CONDITIONS, Condition, Rows, mean, rows, slope_at_end, value_at},
};

/// One known number of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum Datum {
    #[default]
    End,
    EndSlope,
    /// Value this many points before the newest one.
    Past(usize),
    /// Slope this many points before the newest one.
    PastSlope(usize),
}

/// A polynomial of one kind of signal in the present step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rule {
    pub(super) data: [Datum; CONDITIONS],
    pub(super) count: usize,
    /// Their places, in steps from the beginning of the present one.
    places: [f64; CONDITIONS],
    rows: Rows,
    pub(super) mean: [f64; CONDITIONS],
    pub(super) end: [f64; CONDITIONS],
}

impl Rule {
    /// Weights of the derivative of `order`, 0 being the value, at the beginning of a step of `h` seconds.
    pub(super) fn derivative(&self, order: usize, h: f64) -> [f64; CONDITIONS] {
        derivative(&self.rows, order, h)
    }

    /// Weights of the slope at the end of a step of `h` seconds.
    pub(super) fn end_slope(&self, h: f64) -> [f64; CONDITIONS] {
        slope_at_end(&self.rows, h)
    }

    /// The mean error of this polynomial over the step, relative to the error of `extrapolated` at its end. Returns 1 if their degrees
    /// differ, because the ratio is then unknown.
    pub(super) fn share(&self, extrapolated: &Self) -> f64 {
        if self.count != extrapolated.count {
            return 1.0;
        }
        let mean: f64 = GAUSS.iter().map(|(s, weight)| weight * self.error(*s)).sum();
        (mean / extrapolated.error(1.0)).abs()
    }

    /// The error at `s`, up to a factor common to all polynomials through equally many values.
    fn error(&self, s: f64) -> f64 {
        self.places[..self.count].iter().map(|place| s - place).product()
    }
}

/// Nodes and weights of the Gauss formula that integrates polynomials of degree 5 from 0 to 1.
const GAUSS: [(f64, f64); 3] = [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// Weights of the derivative of `order` at the beginning of a step of `h` seconds.
pub(super) fn derivative(rows: &Rows, order: usize, h: f64) -> [f64; CONDITIONS] {
    const FACTORIALS: [f64; CONDITIONS] = [1.0, 1.0, 2.0, 6.0];
    rows[order].map(|weight| weight * FACTORIALS[order] / h.powi(order as i32))
}

/// The known data of a signal, apart from its past values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// Whether its source provides the first derivative.
    pub(super) slope: bool,
    /// Whether its value at the end of the step is known.
    pub(super) end: bool,
}

/// The rules of a step for every degree in use and every combination of known data.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    table: [[Rule; 4]; MAX_DEGREE + 1],
    /// Degrees in use, as bits.
    degrees: u8,
    slopes: bool,
}

impl Rules {
    pub(super) fn new(degrees: impl Iterator<Item = usize>, slopes: bool) -> Self {
        let degrees = degrees.fold(0, |bits, degree| bits | 1 << degree);
        Self { table: Default::default(), degrees, slopes }
    }

    /// Adds the rules of this degree.
    pub(super) fn allow(&mut self, degree: usize) {
        self.degrees |= 1 << degree;
    }

    pub(super) fn get(&self, degree: usize, known: Known) -> &Rule {
        &self.table[degree][usize::from(known.slope) + 2 * usize::from(known.end)]
    }

    /// Computes all weights for a step of size `h` that begins at the newest point. A polynomial with too few known values
    /// has a lower degree.
    pub(super) fn prepare(&mut self, history: &History, h: f64) {
        for degree in (0..=MAX_DEGREE).filter(|degree| self.degrees & (1 << degree) != 0) {
            for end in [false, true] {
                for slope in [false, true].into_iter().take(1 + usize::from(self.slopes)) {
                    let rule = rule(history, h, degree, Known { slope, end });
                    self.table[degree][usize::from(slope) + 2 * usize::from(end)] = rule;
                }
            }
        }
    }
}

fn rule(history: &History, h: f64, degree: usize, known: Known) -> Rule {
    let mut data = [Datum::End; CONDITIONS];
    let mut count = 0;
    for datum in order_of_use(known, degree).filter(|datum| is_available(*datum, history)).take(degree + 1) {
        data[count] = datum;
        count += 1;
    }
    let begin = history.time(0);
    let place = |age: usize| (history.time(age) - begin) / h;
    let mut conditions = [Condition::Value { s: 0.0 }; CONDITIONS];
    for (condition, datum) in conditions.iter_mut().zip(&data[..count]) {
        *condition = match *datum {
            Datum::End => Condition::Value { s: 1.0 },
            Datum::EndSlope => Condition::Slope { s: 1.0 },
            Datum::Past(age) => Condition::Value { s: place(age) },
            Datum::PastSlope(age) => Condition::Slope { s: place(age) },
        };
    }
    let mut rows = rows(&conditions[..count]);
    // Slopes are given per second.
    for row in &mut rows {
        for (weight, datum) in row.iter_mut().zip(&data[..count]) {
            if matches!(datum, Datum::EndSlope | Datum::PastSlope(_)) {
                *weight *= h;
            }
        }
    }
    let places = conditions.map(Condition::place);
    Rule { data, count, places, mean: mean(&rows), end: value_at(&rows, 1.0), rows }
}

/// Yields the data, newest first; a slope follows the value at its place. The slope at the end is used only with both values known, which
/// requires a cubic. A lower degree uses the slope at the beginning, and decreases by one if that slope is unknown.
fn order_of_use(known: Known, degree: usize) -> impl Iterator<Item = Datum> {
    use Datum::{End, EndSlope, Past, PastSlope};
    let order: &'static [Datum] = match (known.end, known.slope) {
        (false, false) => &[Past(0), Past(1), Past(2), Past(3)],
        (false, true) => &[Past(0), PastSlope(0), Past(1), PastSlope(1), Past(2)],
        (true, false) => &[End, Past(0), Past(1), Past(2)],
        (true, true) if degree == MAX_DEGREE => &[End, EndSlope, Past(0), PastSlope(0)],
        (true, true) => &[End, Past(0), PastSlope(0)],
    };
    order.iter().copied()
}

fn is_available(datum: Datum, history: &History) -> bool {
    match datum {
        Datum::End | Datum::EndSlope => true,
        Datum::Past(age) => age < history.len(),
        Datum::PastSlope(age) => age < history.len() && history.has_slopes(age),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Signals;

    /// Shares at a step of `h` after some steps of 1, without and with the value at the end.
    fn shares(degree: usize, slope: bool, h: f64) -> [f64; 2] {
        let signals = Signals { reals: vec![0.0], slopes: vec![0.0], ..Signals::default() };
        let mut history = History::new(&signals);
        (0..4).for_each(|n| history.begin(f64::from(n), &signals));
        let mut rules = Rules::new([degree].into_iter(), slope);
        rules.prepare(&history, h);
        [false, true].map(|end| rules.get(degree, Known { slope, end }).share(rules.get(degree, Known { slope, end: false })))
    }

    #[test]
    fn at_equal_steps_the_shares_are_the_constants_of_adams() {
        let known = [
            (0, false, [1.0 / 2.0, 1.0 / 2.0]),
            (1, false, [5.0 / 12.0, 1.0 / 12.0]),
            (2, false, [3.0 / 8.0, 1.0 / 24.0]),
            (3, false, [251.0 / 720.0, 19.0 / 720.0]),
            (1, true, [1.0 / 3.0, 1.0 / 6.0]),
        ];
        for (degree, slope, expected) in known {
            for (share, expected) in shares(degree, slope, 1.0).into_iter().zip(expected) {
                assert!((share - expected).abs() < 1e-15, "degree {degree}: {share} is not {expected}");
            }
        }
    }

    #[test]
    fn shares_follow_the_steps() {
        // The error of the linear extrapolation is s (s + 1/2) in units of a step of 2.
        assert!((shares(1, false, 2.0)[0] - (1.0 / 3.0 + 1.0 / 4.0) / 1.5).abs() < 1e-15);
    }
}
