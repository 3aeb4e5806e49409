//! The error bound per value, and the resulting weights.

use lotka_step::algorithm::ValueTrace;

/// Share of the largest value of an output below which its error is no longer judged relative to the value.
const NEGLIGIBLE: f64 = 1e-3;

/// Share of the largest value of all outputs of the same kind below which values are too small to matter. Except for very loose
/// tolerances, a tolerance times this share is less than the rounding error of the largest value.
const FLOOR: f64 = 1e-9;

/// The error bound: `|y_k - exact| <= tolerance * max(|exact|, s_k)` for each recorded output k in each row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ErrorBound {
    /// Relative tolerance.
    pub(crate) tolerance: f64,
    /// Absolute tolerance in the units of the outputs, if given; 0 means a purely relative error.
    pub(crate) absolute: Option<f64>,
    /// Nominal value of each recorded output, if declared.
    pub(crate) nominals: Vec<Option<f64>>,
    /// Equal numbers for outputs that can be compared in size, because they have the same unit, quantity or name.
    pub(crate) groups: Vec<usize>,
    /// Index of each output in the traces of runs, if it is followed there.
    pub(crate) followed_values: Vec<Option<usize>>,
    /// Whether each output belongs to an instance without inputs, so that it has no coupling error.
    pub(crate) is_free: Vec<bool>,
}

/// The error that a purely relative error bound was requested for an output that changes sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignChange {
    /// Column of the output.
    pub(crate) column: usize,
}

/// The values `s_k` of an [`ErrorBound`]; the weight of a value is `tolerance * max(|y|, s_k)`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weights {
    tolerance: f64,
    least: Vec<f64>,
    floors: Vec<f64>,
    is_free: Vec<bool>,
}

impl ErrorBound {
    /// `s_k` = absolute tolerance / tolerance if given, otherwise the declared nominal value. Without either it is a thousandth
    /// of the largest
    /// |value| in the finest run, at its rows and at all communication points. It is at least [`FLOOR`] of that of all outputs of the same kind.
    pub(crate) fn weights(&self, finest: &[f64], traces: &[ValueTrace]) -> Weights {
        let mut least = vec![0.0_f64; self.nominals.len()];
        for row in finest.chunks(self.nominals.len().max(1)) {
            least.iter_mut().zip(row).for_each(|(largest, value)| *largest = largest.max(value.abs()));
        }
        for (largest, followed_value) in least.iter_mut().zip(&self.followed_values) {
            *largest = followed_value.and_then(|value| traces.get(value)).map_or(*largest, |trace| largest.max(trace.size()));
        }
        let mut floors = self.floors(&least);
        for ((s, floor), nominal) in least.iter_mut().zip(&mut floors).zip(&self.nominals) {
            (*s, *floor) = match (self.absolute, nominal) {
                (Some(absolute), _) => (absolute / self.tolerance, 0.0),
                (None, Some(nominal)) => (nominal.abs(), 0.0),
                (None, None) => ((NEGLIGIBLE * *s).max(*floor), *floor),
            };
        }
        Weights { tolerance: self.tolerance, least, floors, is_free: self.is_free.clone() }
    }

    /// The size of negligible values in each column, given the largest |value| of each.
    fn floors(&self, largest: &[f64]) -> Vec<f64> {
        let mut of_group = vec![0.0_f64; self.groups.iter().max().map_or(0, |last| last + 1)];
        for (&group, largest) in self.groups.iter().zip(largest).filter(|(_, largest)| largest.is_finite()) {
            of_group[group] = of_group[group].max(*largest);
        }
        let floor = |column: usize| self.groups.get(column).map_or(0.0, |&group| FLOOR * of_group[group]);
        (0..largest.len()).map(floor).collect()
    }

    /// Refuses a purely relative bound if an output changes sign in every run (coarse runs may do so because of their error).
    pub(crate) fn check_signs(&self, runs: &[&[f64]]) -> Result<(), SignChange> {
        if self.absolute != Some(0.0) || runs.is_empty() {
            return Ok(());
        }
        let changes = |values: &[f64], column: usize| {
            let column = || values.iter().skip(column).step_by(self.nominals.len());
            column().any(|value| *value > 0.0) && column().any(|value| *value < 0.0)
        };
        match (0..self.nominals.len()).find(|&column| runs.iter().all(|values| changes(values, column))) {
            Some(column) => Err(SignChange { column }),
            None => Ok(()),
        }
    }
}

impl Weights {
    /// Whether the coupling has no error in a column.
    pub(crate) fn is_free(&self, column: usize) -> bool {
        self.is_free.get(column).copied().unwrap_or(false)
    }

    /// The tolerance of the error bound.
    pub(crate) fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// The size of negligible values in a column.
    pub(crate) fn floor(&self, column: usize) -> f64 {
        self.floors.get(column).copied().unwrap_or(0.0)
    }

    /// Number of outputs, but at least 1.
    pub(crate) fn columns(&self) -> usize {
        self.least.len().max(1)
    }

    /// `max(|y|, s_k)`: the scale of an error of the value `y` in a column.
    pub(crate) fn scale(&self, column: usize, value: f64) -> f64 {
        value.abs().max(self.least[column])
    }

    /// An error relative to [`Weights::scale`]. If that is 0, an error of 0 remains 0 and every other is infinite.
    pub(crate) fn relative(&self, column: usize, value: f64, error: f64) -> f64 {
        if error == 0.0 { 0.0 } else { error / self.scale(column, value) }
    }

    /// `1 / scale` of all values of a run; 0 for a scale of 0.
    pub(crate) fn inverse_scales(&self, values: &[f64]) -> Vec<f64> {
        let mut inverse = Vec::with_capacity(values.len());
        for row in values.chunks(self.columns()) {
            let scales = row.iter().enumerate().map(|(k, y)| self.scale(k, *y));
            inverse.extend(scales.map(|scale| if scale > 0.0 { 1.0 / scale } else { 0.0 }));
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(absolute: Option<f64>) -> ErrorBound {
        ErrorBound {
            tolerance: 1e-6,
            absolute,
            nominals: vec![None, Some(-5.0), None],
            groups: vec![0, 1, 2],
            ..ErrorBound::default()
        }
    }

    const ROWS: [f64; 6] = [1.0, 1.0, 0.0, -40.0, 2.0, 0.0];

    #[test]
    fn absolute_tolerance_comes_before_nominal_and_largest_value() {
        let scales = |weights: Weights| [weights.scale(0, 0.0), weights.scale(1, 0.0), weights.scale(2, 0.0)];
        assert_eq!(scales(bound(None).weights(&ROWS, &[])), [0.04, 5.0, 0.0]);
        assert_eq!(scales(bound(Some(2e-6)).weights(&ROWS, &[])), [2.0, 2.0, 2.0]);
        assert_eq!(scales(bound(Some(0.0)).weights(&ROWS, &[])), [0.0, 0.0, 0.0]);
        assert_eq!(bound(None).weights(&ROWS, &[]).scale(0, -7.0), 7.0);
    }

    /// Rows may lie where a signal is near 0.
    #[test]
    fn values_between_rows_count_as_well() {
        let value_trace = |low, high| ValueTrace { low, high, differences: [Vec::new(), Vec::new()] };
        let bound = ErrorBound { followed_values: vec![Some(1), None, Some(0)], ..bound(None) };
        let weights = bound.weights(&ROWS, &[value_trace(-3e3, 1.0), value_trace(0.0, 7e4)]);
        assert_eq!([weights.scale(0, 0.0), weights.scale(1, 0.0), weights.scale(2, 0.0)], [70.0, 5.0, 3.0]);
    }

    #[test]
    fn what_is_tiny_beside_values_of_its_kind_is_judged_by_them() {
        let rows = [1e3, 2.0, 1e-20, 2e3, 3.0, -1e-30];
        let of = |groups: [usize; 3], absolute| {
            let bound = ErrorBound { groups: groups.to_vec(), nominals: vec![None; 3], ..bound(absolute) };
            let weights = bound.weights(&rows, &[]);
            (weights.scale(2, 0.0), weights.floor(2))
        };
        assert_eq!(of([0, 1, 0], None), (2e3 * FLOOR, 2e3 * FLOOR));
        assert_eq!(of([0, 1, 1], None), (3.0 * FLOOR, 3.0 * FLOOR));
        assert_eq!(of([0, 1, 2], None), (1e-23, 1e-20 * FLOOR));
        assert_eq!(of([0, 1, 0], Some(0.0)), (0.0, 0.0));
    }

    #[test]
    fn a_scale_of_zero_divides_nothing() {
        let weights = bound(None).weights(&ROWS, &[]);
        assert_eq!(weights.relative(2, 0.0, 0.0), 0.0);
        assert_eq!(weights.relative(2, 0.0, 1e-300), f64::INFINITY);
        assert_eq!(weights.inverse_scales(&ROWS), [1.0, 0.2, 0.0, 0.025, 0.2, 0.0]);
    }

    #[test]
    fn a_purely_relative_bound_needs_a_sign() {
        assert_eq!(bound(Some(0.0)).check_signs(&[&ROWS, &ROWS]), Err(SignChange { column: 0 }));
        assert_eq!(bound(Some(0.0)).check_signs(&[&ROWS, &[1.0; 6]]), Ok(()));
        assert_eq!(bound(None).check_signs(&[&ROWS]), Ok(()));
        assert_eq!(bound(Some(1e-9)).check_signs(&[&ROWS]), Ok(()));
    }
}
