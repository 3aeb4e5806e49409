//! Which known values make a polynomial of a degree, and with which weights in the present step.

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
    rows: Rows,
    pub(super) mean: [f64; CONDITIONS],
    pub(super) end: [f64; CONDITIONS],
}

impl Rule {
    /// Weights of the derivative of `order`, 0 being the value, at the begin of a step of `h` seconds.
    pub(super) fn derivative(&self, order: usize, h: f64) -> [f64; CONDITIONS] {
        derivative(&self.rows, order, h)
    }

    /// Weights of the slope at the end of a step of `h` seconds.
    pub(super) fn end_slope(&self, h: f64) -> [f64; CONDITIONS] {
        slope_at_end(&self.rows, h)
    }
}

/// Weights of the derivative of `order` at the begin of a step of `h` seconds.
pub(super) fn derivative(rows: &Rows, order: usize, h: f64) -> [f64; CONDITIONS] {
    const FACTORIALS: [f64; CONDITIONS] = [1.0, 1.0, 2.0, 6.0];
    rows[order].map(|weight| weight * FACTORIALS[order] / h.powi(order as i32))
}

/// What is known of a signal, beside its past values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// Its source gives the first derivative.
    pub(super) slope: bool,
    /// Its value at the end of the step.
    pub(super) end: bool,
}

/// The rules of a step for every degree in use and everything that can be known.
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

    pub(super) fn get(&self, degree: usize, known: Known) -> &Rule {
        &self.table[degree][usize::from(known.slope) + 2 * usize::from(known.end)]
    }

    /// Computes all weights for a step of size `h` that begins at the newest point. A polynomial for which too little is known yet
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
    for datum in order_of_use(known, degree).take_while(|datum| is_available(*datum, history)).take(degree + 1) {
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
    Rule { data, count, mean: mean(&rows), end: value_at(&rows, 1.0), rows }
}

/// The newest first; a slope right after the value at its place. The slope at the end is used only with both values known, for which
/// a cubic is needed: a lower degree takes the slope at the begin.
fn order_of_use(known: Known, degree: usize) -> impl Iterator<Item = Datum> {
    use Datum::{End, EndSlope, Past, PastSlope};
    let order: &'static [Datum] = match (known.end, known.slope) {
        (false, false) => &[Past(0), Past(1), Past(2), Past(3)],
        (false, true) => &[Past(0), PastSlope(0), Past(1), PastSlope(1)],
        (true, false) => &[End, Past(0), Past(1), Past(2)],
        (true, true) if degree == MAX_DEGREE => &[End, EndSlope, Past(0), PastSlope(0)],
        (true, true) => &[End, Past(0), PastSlope(0)],
    };
    order.iter().copied()
}

fn is_available(datum: Datum, history: &History) -> bool {
    match datum {
        Datum::End | Datum::EndSlope => true,
        Datum::Past(age) | Datum::PastSlope(age) => age < history.len(),
    }
}
