//! The choice of known values for a polynomial of a degree, and their weights in the present step.

use super::{
    History, MAX_DEGREE,
    polynomial::{CONDITIONS, Condition, Functional, rows},
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

/// A polynomial of one kind of signal in the present step. Slopes count per step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rule {
    data: [Datum; CONDITIONS],
    count: usize,
    /// Their places, in steps from the beginning of the present one.
    places: [f64; CONDITIONS],
    /// Their weights in every functional.
    weights: [[f64; CONDITIONS]; Functional::COUNT],
}

impl Rule {
    /// The value of a functional, with the known data of one signal.
    #[inline]
    pub(super) fn value(&self, functional: Functional, datum: impl Fn(Datum) -> f64) -> f64 {
        let weights = &self.weights[functional.index()];
        // The most frequent kinds of data are compiled apart.
        match (self.count, self.data) {
            (1, [Datum::End, ..]) => weights[0] * datum(Datum::End),
            (1, [Datum::Past(0), ..]) => weights[0] * datum(Datum::Past(0)),
            (2, [Datum::End, Datum::Past(0), ..]) => weights[0] * datum(Datum::End) + weights[1] * datum(Datum::Past(0)),
            (2, [Datum::Past(0), Datum::Past(1), ..]) => weights[0] * datum(Datum::Past(0)) + weights[1] * datum(Datum::Past(1)),
            _ => self.data.iter().zip(weights).take(self.count).map(|(known, weight)| weight * datum(*known)).sum(),
        }
    }

    /// The mean error of this polynomial over the step, relative to the error of `extrapolated` at its end. Returns 1 if their
    /// degrees differ, because the ratio is then unknown.
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

/// A functional as a weighted sum of arrays, for many signals with the same rule.
pub(super) struct Blend<'a> {
    count: usize,
    weights: &'a [f64; CONDITIONS],
    values: [&'a [f64]; CONDITIONS],
}

impl<'a> Blend<'a> {
    /// Takes the values of all signals from `values`, which returns none for slopes. Returns `None` if the rule needs slopes.
    #[inline]
    pub(super) fn new(rule: &'a Rule, functional: Functional, values: impl Fn(Datum) -> Option<&'a [f64]>) -> Option<Self> {
        let mut arrays: [&[f64]; CONDITIONS] = [&[]; CONDITIONS];
        for (array, datum) in arrays.iter_mut().zip(&rule.data[..rule.count]) {
            *array = values(*datum)?;
        }
        Some(Self { count: rule.count, weights: &rule.weights[functional.index()], values: arrays })
    }

    #[inline]
    pub(super) fn value(&self, signal: usize) -> f64 {
        let term = |index: usize| self.weights[index] * self.values[index][signal];
        match self.count {
            1 => term(0),
            2 => term(0) + term(1),
            count => (0..count).map(term).sum(),
        }
    }
}

/// Nodes and weights of the Gauss formula that integrates polynomials of degree 5 from 0 to 1.
const GAUSS: [(f64, f64); 3] = [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// The known data of a signal, apart from its past values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// Whether its source provides the first derivative.
    pub(super) slope: bool,
    /// Whether its value at the end of the step is known.
    pub(super) end: bool,
}

/// Number of combinations of known data.
const KINDS: usize = 4;

/// The place of a rule in the table.
#[inline]
pub(super) fn place_of_rule(degree: usize, known: Known) -> usize {
    KINDS * degree + usize::from(known.slope) + KNOWS_END * usize::from(known.end)
}

/// The distance in the table from a rule without the end value to the one with it.
pub(super) const KNOWS_END: usize = 2;

/// The rule of a held signal.
pub(super) const HELD: usize = KNOWS_END;

/// Number of past points, apart from the newest one, that a polynomial can use.
const AGES: usize = MAX_DEGREE;

/// What the weights depend on: the places of the past points, in steps from the newest one, and whether slopes are known there.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Spacing {
    len: usize,
    places: [f64; AGES],
    has_slopes: [bool; AGES + 1],
}

/// The rules of the steps with one spacing.
#[derive(Debug, Clone)]
struct Table {
    spacing: Spacing,
    rules: [Rule; KINDS * (MAX_DEGREE + 1)],
}

/// Spacings that are kept: step doubling repeats three, with equal steps.
const KEPT: usize = 4;

/// The rules of a step for every degree in use and every combination of known data. They are computed anew only if the spacing of
/// the points changes.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    kept: Vec<Table>,
    /// The table of the present step, and the one to replace next.
    current: usize,
    oldest: usize,
    /// Degrees in use, as bits.
    degrees: u8,
    slopes: bool,
}

impl Rules {
    pub(super) fn new(degrees: impl Iterator<Item = usize>, slopes: bool) -> Self {
        let degrees = degrees.fold(0, |bits, degree| bits | 1 << degree);
        let none = Table { spacing: Spacing::default(), rules: Default::default() };
        Self { kept: vec![none; KEPT], current: 0, oldest: 0, degrees, slopes }
    }

    /// Adds the rules of this degree.
    pub(super) fn allow(&mut self, degree: usize) {
        self.degrees |= 1 << degree;
        self.kept.iter_mut().for_each(|table| table.spacing = Spacing::default());
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> &Rule {
        &self.kept[self.current].rules[place]
    }

    /// Provides all weights for a step of size `h` that begins at the newest point. A polynomial with too few known values
    /// has a lower degree.
    #[inline]
    pub(super) fn prepare(&mut self, history: &History, h: f64) {
        let spacing = self.spacing(history, h);
        if self.kept[self.current].spacing == spacing {
            return;
        }
        match self.kept.iter().position(|table| table.spacing == spacing) {
            Some(known) => self.current = known,
            None => self.replace(spacing),
        }
    }

    /// The spacing of the points that the degrees in use can reach.
    fn spacing(&self, history: &History, h: f64) -> Spacing {
        let reach = self.degrees.ilog2() as usize;
        let mut spacing = Spacing { len: history.len().min(reach + 1), ..Spacing::default() };
        let begin = history.time(0);
        let steps = 1.0 / h;
        let rounding = ROUNDING * (begin.abs() * steps + 1.0);
        for age in 1..spacing.len {
            spacing.places[age - 1] = whole((history.time(age) - begin) * steps, rounding);
        }
        if self.slopes {
            for age in 0..spacing.len {
                spacing.has_slopes[age] = history.has_slopes(age);
            }
        }
        spacing
    }

    #[inline(never)]
    fn replace(&mut self, spacing: Spacing) {
        self.current = self.oldest;
        self.oldest = (self.oldest + 1) % KEPT;
        let (degrees, slopes) = (self.degrees, self.slopes);
        let table = &mut self.kept[self.current];
        table.spacing = spacing;
        for degree in (0..=MAX_DEGREE).filter(|degree| degrees & (1 << degree) != 0) {
            for end in [false, true] {
                for slope in [false, true].into_iter().take(1 + usize::from(slopes)) {
                    let known = Known { slope, end };
                    table.rules[place_of_rule(degree, known)] = rule(&spacing, degree, known);
                }
            }
        }
    }
}

/// Rounding of the places, in units of that of the times: differences of sums of a few steps.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A place before the newest point, as a whole number if it is one up to rounding: points at equal distances have equal weights,
/// however their times are rounded.
#[inline]
fn whole(place: f64, rounding: f64) -> f64 {
    let whole = (place - 0.5) as i64 as f64;
    if (place - whole).abs() <= rounding { whole } else { place }
}

fn rule(spacing: &Spacing, degree: usize, known: Known) -> Rule {
    let mut data = [Datum::End; CONDITIONS];
    let mut count = 0;
    for datum in order_of_use(known, degree).filter(|datum| is_available(*datum, spacing)).take(degree + 1) {
        data[count] = datum;
        count += 1;
    }
    let place = |age: usize| age.checked_sub(1).map_or(0.0, |before| spacing.places[before]);
    let mut conditions = [Condition::Value { s: 0.0 }; CONDITIONS];
    for (condition, datum) in conditions.iter_mut().zip(&data[..count]) {
        *condition = match *datum {
            Datum::End => Condition::Value { s: 1.0 },
            Datum::EndSlope => Condition::Slope { s: 1.0 },
            Datum::Past(age) => Condition::Value { s: place(age) },
            Datum::PastSlope(age) => Condition::Slope { s: place(age) },
        };
    }
    let rows = rows(&conditions[..count]);
    let weights = Functional::all().map(|functional| functional.weights(&rows));
    Rule { data, count, places: conditions.map(Condition::place), weights }
}

/// Yields the data, newest first; a slope follows the value at its place. The slope at the end is used only with both values
/// known, which requires a cubic. A lower degree uses the slope at the beginning, and decreases by one if that slope is unknown.
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

fn is_available(datum: Datum, spacing: &Spacing) -> bool {
    match datum {
        Datum::End | Datum::EndSlope => true,
        Datum::Past(age) => age < spacing.len,
        Datum::PastSlope(age) => age < spacing.len && spacing.has_slopes[age],
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
        let rule = |end| rules.get(place_of_rule(degree, Known { slope, end }));
        [false, true].map(|end| rule(end).share(rule(false)))
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
