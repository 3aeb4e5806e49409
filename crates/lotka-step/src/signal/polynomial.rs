//! Polynomials through values and slopes, as linear combinations of these.

/// Highest degree of an input signal.
pub const MAX_DEGREE: usize = 3;

/// Maximum number of conditions on a polynomial.
pub const CONDITIONS: usize = MAX_DEGREE + 1;

/// A known datum of a signal at one place; `s` counts from the beginning of the step in units of its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Condition {
    /// Its value.
    Value { s: f64 },
    /// Its slope with respect to `s`; follows the value at the same place.
    Slope { s: f64 },
}

impl Condition {
    pub(super) fn place(self) -> f64 {
        match self {
            Self::Value { s } | Self::Slope { s } => s,
        }
    }
}

/// Weights of the conditions, one row per coefficient: `p(s) = sum_i s^i sum_j rows[i][j] data[j]`.
pub(crate) type Rows = [[f64; CONDITIONS]; CONDITIONS];

/// The polynomial of lowest degree that meets all conditions, by divided differences with repeated nodes (Hermite), converted to
/// powers of `s` (Hairer, Nørsett, Wanner, Solving ODEs I, 1993, doi 10.1007/978-3-540-78862-1, III.1).
pub(crate) fn rows(conditions: &[Condition]) -> Rows {
    let mut rows = Rows::default();
    for datum in 0..conditions.len() {
        let coefficients = powers(conditions, divided_differences(conditions, datum));
        for (row, coefficient) in rows.iter_mut().zip(coefficients) {
            row[datum] = coefficient;
        }
    }
    rows
}

/// Newton coefficients of the polynomial for which condition `datum` is 1 and all others are 0.
fn divided_differences(conditions: &[Condition], datum: usize) -> [f64; CONDITIONS] {
    let unit = |position: usize| f64::from(u8::from(position == datum));
    let mut column = [0.0; CONDITIONS];
    for (position, condition) in conditions.iter().enumerate() {
        column[position] = match condition {
            Condition::Value { .. } => unit(position),
            Condition::Slope { .. } => unit(position - 1),
        };
    }
    let mut newton = [0.0; CONDITIONS];
    newton[0] = column[0];
    for order in 1..conditions.len() {
        for position in 0..conditions.len() - order {
            let (left, right) = (conditions[position], conditions[position + order]);
            column[position] = match right {
                Condition::Slope { .. } if order == 1 => unit(position + 1),
                _ => (column[position + 1] - column[position]) / (right.place() - left.place()),
            };
        }
        newton[order] = column[0];
    }
    newton
}

/// Converts from Newton's form to powers of `s`.
fn powers(conditions: &[Condition], newton: [f64; CONDITIONS]) -> [f64; CONDITIONS] {
    let mut result = [0.0; CONDITIONS];
    for order in (0..conditions.len()).rev() {
        // result = result (s - place) + newton
        let place = conditions[order].place();
        for power in (0..CONDITIONS).rev() {
            let below = if power > 0 { result[power - 1] } else { 0.0 };
            result[power] = below - place * result[power];
        }
        result[0] += newton[order];
    }
    result
}

/// A number that is computed from a polynomial over a step, in units of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Functional {
    /// The mean over the step.
    Mean,
    /// The value at its end.
    End,
    /// The slope at its end.
    EndSlope,
    /// The coefficient of this power; that of power 0 is the value at the beginning.
    Coefficient(usize),
}

impl Functional {
    /// Number of functionals.
    pub(super) const COUNT: usize = 3 + CONDITIONS;

    /// All of them, in the order of their places in tables.
    pub(super) fn all() -> [Self; Self::COUNT] {
        std::array::from_fn(|index| match index {
            0 => Self::Mean,
            1 => Self::End,
            2 => Self::EndSlope,
            _ => Self::Coefficient(index - 3),
        })
    }

    /// Its place in tables.
    #[inline]
    pub(super) fn index(self) -> usize {
        match self {
            Self::Mean => 0,
            Self::End => 1,
            Self::EndSlope => 2,
            Self::Coefficient(power) => 3 + power,
        }
    }

    /// Weights of the conditions of a polynomial.
    pub(super) fn weights(self, rows: &Rows) -> [f64; CONDITIONS] {
        match self {
            Self::Mean => weighted(rows, |power| 1.0 / (power + 1) as f64),
            Self::End => weighted(rows, |_| 1.0),
            Self::EndSlope => weighted(rows, |power| power as f64),
            Self::Coefficient(power) => rows[power],
        }
    }
}

fn weighted(rows: &Rows, factor: impl Fn(usize) -> f64) -> [f64; CONDITIONS] {
    let mut weights = [0.0; CONDITIONS];
    for (power, row) in rows.iter().enumerate() {
        for (weight, coefficient) in weights.iter_mut().zip(row) {
            *weight += factor(power) * coefficient;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 - s + 3 s^2 - 0.5 s^3 up to a degree.
    fn example(degree: usize, s: f64) -> (f64, f64) {
        let coefficients = &[2.0, -1.0, 3.0, -0.5][..=degree];
        let value = coefficients.iter().rev().fold(0.0, |sum, c| sum * s + c);
        let slope = coefficients.iter().enumerate().skip(1).map(|(i, c)| i as f64 * c * s.powi(i as i32 - 1)).sum();
        (value, slope)
    }

    fn data(conditions: &[Condition]) -> Vec<f64> {
        let degree = conditions.len() - 1;
        conditions
            .iter()
            .map(|condition| match *condition {
                Condition::Value { s } => example(degree, s).0,
                Condition::Slope { s } => example(degree, s).1,
            })
            .collect()
    }

    fn dot(weights: &[f64], data: &[f64]) -> f64 {
        weights.iter().zip(data).map(|(weight, value)| weight * value).sum()
    }

    #[test]
    fn polynomials_meet_every_kind_of_condition() {
        use Condition::{Slope, Value};
        let cases: [&[Condition]; 7] = [
            &[Value { s: 0.0 }],
            &[Value { s: 0.0 }, Value { s: -0.7 }],
            &[Value { s: 0.0 }, Slope { s: 0.0 }],
            &[Value { s: 1.0 }, Value { s: 0.0 }, Slope { s: 0.0 }],
            &[Value { s: 0.0 }, Slope { s: 0.0 }, Value { s: -1.3 }, Slope { s: -1.3 }],
            &[Value { s: 1.0 }, Slope { s: 1.0 }, Value { s: 0.0 }, Slope { s: 0.0 }],
            &[Value { s: 1.0 }, Value { s: 0.0 }, Value { s: -0.4 }, Value { s: -2.0 }],
        ];
        for conditions in cases {
            let (rows, data, degree) = (rows(conditions), data(conditions), conditions.len() - 1);
            for s in [-0.3, 0.0, 0.5, 1.0, 1.4] {
                let (value, _) = example(degree, s);
                let weights = weighted(&rows, |power| s.powi(power as i32));
                assert!((dot(&weights, &data) - value).abs() < 1e-12, "{conditions:?} at {s}");
            }
            let mean: f64 = [2.0, -0.5, 1.0, -0.125][..=degree].iter().sum();
            let (end, end_slope) = example(degree, 1.0);
            let exact = [mean, end, end_slope].into_iter().chain([2.0, -1.0, 3.0, -0.5].into_iter().take(degree + 1));
            for (functional, exact) in Functional::all().into_iter().zip(exact) {
                assert!((dot(&functional.weights(&rows), &data) - exact).abs() < 1e-12, "{functional:?} of {conditions:?}");
            }
        }
    }

    #[test]
    fn every_functional_has_its_place() {
        for (index, functional) in Functional::all().into_iter().enumerate() {
            assert_eq!(functional.index(), index);
        }
    }

    #[test]
    fn the_mean_of_the_linear_extrapolation_is_the_known_formula() {
        let rows = rows(&[Condition::Value { s: 0.0 }, Condition::Value { s: -1.0 }]);
        assert_eq!(Functional::Mean.weights(&rows)[..2], [1.5, -0.5]);
    }
}
