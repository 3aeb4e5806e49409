//! Differences between two columns.

use super::{
    ComparisonSettings, Values, Verdict,
    pairing::{Pair, Position},
};

/// Share of the largest value of a column below which differences are absolute, not relative to the value.
const NEGLIGIBLE: f64 = 1e-3;

/// The differences of two columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Difference {
    pub(super) missing: [usize; 2],
    pub(super) verdict: Verdict,
    pub(super) absolute: Option<f64>,
    pub(super) relative: Option<f64>,
    pub(super) time: Option<f64>,
    pub(super) differs_from: Option<f64>,
}

/// The state of a comparison.
struct Search {
    relative: f64,
    absolute: Option<f64>,
    /// Value below which differences are absolute, not relative to the value.
    least: f64,
    found: Difference,
}

/// Compares the values at all pairs of positions.
pub(super) fn difference(first: &Values, second: &Values, pairs: &[Pair], settings: &ComparisonSettings) -> Difference {
    match (first, second) {
        (Values::Text(first), Values::Text(second)) => texts(first, second, pairs),
        // A column without any value has no type.
        (Values::Text(blank), _) | (_, Values::Text(blank)) if blank.iter().all(String::is_empty) => {
            numbers(first, second, pairs, settings)
        }
        (Values::Text(_), _) | (_, Values::Text(_)) => Difference { verdict: Verdict::OtherType, ..same() },
        _ => numbers(first, second, pairs, settings),
    }
}

/// Compares times; only the relative tolerance applies to them.
pub(super) fn times(times: &[(f64, f64)], settings: &ComparisonSettings) -> Difference {
    let mut search = Search::new(settings.relative, None, largest(times.iter().flat_map(|&(a, b)| [a, b])));
    times.iter().for_each(|&(first, second)| search.add(first, first, second));
    // A table without rows has no ends.
    Difference { missing: [0, 0], ..search.found }
}

fn same() -> Difference {
    Difference { missing: [0, 0], verdict: Verdict::Same, absolute: None, relative: None, time: None, differs_from: None }
}

fn texts(first: &[String], second: &[String], pairs: &[Pair]) -> Difference {
    let differing = pairs.iter().find(|pair| first.get(pair.first.row) != second.get(pair.second.row));
    let verdict = if differing.is_some() { Verdict::Different } else { Verdict::Same };
    Difference { verdict, differs_from: differing.map(|pair| pair.time), ..same() }
}

/// Compares numbers. Whole numbers and booleans hold between rows and must be exactly equal; other numbers are interpolated.
fn numbers(first: &Values, second: &Values, pairs: &[Pair], settings: &ComparisonSettings) -> Difference {
    let is_discrete = |values: &Values| !matches!(values, Values::Real(_));
    let exact = is_discrete(first) && is_discrete(second);
    let (relative, absolute) = if exact { (0.0, Some(0.0)) } else { (settings.relative, settings.absolute) };
    let all = |values: &Values| largest((0..values.len()).filter_map(|row| values.number(row)));
    let mut search = Search::new(relative, absolute, all(first).max(all(second)));
    for pair in pairs {
        search.add(pair.time, value(first, pair.first), value(second, pair.second));
    }
    search.found
}

/// Returns the value at a position; NaN if it is missing.
fn value(values: &Values, position: Position) -> f64 {
    let value = values.number(position.row).unwrap_or(f64::NAN);
    match values {
        Values::Real(all) if position.fraction > 0.0 => match all.get(position.row + 1) {
            // The difference of two infinities is no number.
            Some(next) if *next == value => value,
            Some(next) => value + position.fraction * (next - value),
            None => f64::NAN,
        },
        _ => value,
    }
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).filter(|value| value.is_finite()).fold(0.0, f64::max)
}

impl Search {
    fn new(relative: f64, absolute: Option<f64>, largest: f64) -> Self {
        let found = Difference { absolute: Some(0.0), relative: Some(0.0), ..same() };
        Self { relative, absolute, least: NEGLIGIBLE * largest, found }
    }

    fn add(&mut self, time: f64, first: f64, second: f64) {
        // NaN equals NaN, and infinities of one sign are equal; their difference would be NaN.
        if first == second || first.is_nan() && second.is_nan() {
            return;
        }
        self.found.missing[0] += usize::from(first.is_nan());
        self.found.missing[1] += usize::from(second.is_nan());
        let difference = (first - second).abs();
        let difference = if difference.is_nan() { f64::INFINITY } else { difference };
        let larger = first.abs().max(second.abs());
        let scale = larger.max(self.least);
        let ratio = if difference.is_finite() { difference / scale } else { f64::INFINITY };
        let bound = match self.absolute {
            Some(absolute) => absolute.max(self.relative * larger),
            None => self.relative * scale,
        };
        let is_within = difference.is_finite() && difference <= bound;
        let found = &mut self.found;
        if found.absolute.is_none_or(|absolute| difference > absolute) {
            (found.absolute, found.time) = (Some(difference), Some(time));
        }
        found.relative = found.relative.map(|relative| relative.max(ratio));
        if !is_within {
            found.verdict = Verdict::Different;
            found.differs_from.get_or_insert(time);
        } else if found.verdict == Verdict::Same {
            found.verdict = Verdict::Within;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(relative: f64, absolute: Option<f64>) -> ComparisonSettings {
        ComparisonSettings { relative, absolute, ..ComparisonSettings::default() }
    }

    fn rows(count: usize) -> Vec<Pair> {
        let at = |row| Position { row, fraction: 0.0 };
        (0..count).map(|row| Pair { time: row as f64, first: at(row), second: at(row) }).collect()
    }

    fn reals(first: &[f64], second: &[f64], settings: &ComparisonSettings) -> Difference {
        difference(&Values::Real(first.to_vec()), &Values::Real(second.to_vec()), &rows(first.len()), settings)
    }

    #[test]
    fn the_largest_difference_and_the_first_one_are_reported() {
        let found = reals(&[1.0, 2.0, 4.0], &[1.0, 2.5, 5.0], &settings(0.0, None));
        let expected = Difference {
            missing: [0, 0],
            verdict: Verdict::Different,
            absolute: Some(1.0),
            relative: Some(0.2),
            time: Some(2.0),
            differs_from: Some(1.0),
        };
        assert_eq!(found, expected);
        assert_eq!(reals(&[1.0, 2.0, 4.0], &[1.0, 2.5, 5.0], &settings(0.2, None)).verdict, Verdict::Within);
        assert_eq!(reals(&[1.0, 2.0, 4.0], &[1.0, 2.5, 5.0], &settings(0.0, Some(1.0))).verdict, Verdict::Within);
        assert_eq!(reals(&[1.0, 2.0, 4.0], &[1.0, 2.5, 5.0], &settings(0.19, Some(0.5))).differs_from, Some(2.0));
    }

    #[test]
    fn small_values_are_judged_by_the_largest_one_unless_an_absolute_tolerance_is_given() {
        let (first, second) = ([1000.0, 1e-6], [1000.0, -1e-6]);
        assert_eq!(reals(&first, &second, &settings(1e-5, None)).verdict, Verdict::Within);
        assert_eq!(reals(&first, &second, &settings(1e-5, Some(0.0))).verdict, Verdict::Different);
        assert_eq!(reals(&first, &second, &settings(1e-5, Some(2e-6))).verdict, Verdict::Within);
    }

    #[test]
    fn values_that_are_not_finite_are_the_same_or_infinitely_far() {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0];
        assert_eq!(reals(&odd, &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0], &settings(0.0, None)).verdict, Verdict::Same);
        for (second, missing) in [
            ([1.0, f64::INFINITY], [1, 0]),
            ([f64::NAN, 1.0], [0, 0]),
            ([f64::NAN, f64::NEG_INFINITY], [0, 0]),
            ([f64::NAN; 2], [0, 1]),
        ] {
            let found = reals(&odd[..2], &second, &settings(1e9, Some(1e9)));
            assert_eq!((found.verdict, found.absolute), (Verdict::Different, Some(f64::INFINITY)), "{second:?}");
            assert_eq!(found.missing, missing, "{second:?}");
        }
        let constant = Values::Real(vec![f64::INFINITY; 2]);
        let between = [Pair { time: 0.5, first: Position { row: 0, fraction: 0.0 }, second: Position { row: 0, fraction: 0.5 } }];
        assert_eq!(difference(&constant, &constant, &between, &settings(0.0, None)).verdict, Verdict::Same);
    }

    #[test]
    fn a_column_without_values_misses_those_of_the_other() {
        let (blank, filled) = (Values::Text(vec![String::new(); 2]), Values::Boolean(vec![true, false]));
        let found = difference(&blank, &filled, &rows(2), &settings(0.0, None));
        assert_eq!((found.verdict, found.missing), (Verdict::Different, [2, 0]));
        let found = difference(&Values::Integer(vec![1, 2]), &blank, &rows(2), &settings(0.0, None));
        assert_eq!((found.verdict, found.missing), (Verdict::Different, [0, 2]));
    }

    #[test]
    fn whole_numbers_booleans_and_texts_are_compared_exactly_and_held_between_rows() {
        let loose = settings(1e9, Some(1e9));
        let integers = |values: &[i64]| Values::Integer(values.to_vec());
        let texts = |values: [&str; 2]| Values::Text(values.map(str::to_owned).to_vec());
        assert_eq!(difference(&integers(&[3, 3]), &integers(&[3, 4]), &rows(2), &loose).verdict, Verdict::Different);
        assert_eq!(difference(&integers(&[0, 1]), &Values::Boolean(vec![false, true]), &rows(2), &loose).verdict, Verdict::Same);
        assert_eq!(difference(&texts(["a", "b"]), &texts(["a", "c"]), &rows(2), &loose).differs_from, Some(1.0));
        assert_eq!(difference(&texts(["a", "b"]), &integers(&[1, 2]), &rows(2), &loose).verdict, Verdict::OtherType);
        let between = [Pair { time: 0.5, first: Position { row: 0, fraction: 0.0 }, second: Position { row: 0, fraction: 0.5 } }];
        assert_eq!(difference(&integers(&[3]), &integers(&[3, 9]), &between, &loose).verdict, Verdict::Same);
        let found = difference(&Values::Real(vec![3.0]), &Values::Real(vec![2.0, 4.0]), &between, &settings(0.0, None));
        assert_eq!(found.verdict, Verdict::Same);
    }
}
