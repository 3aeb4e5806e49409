//! What a run recorded, and whether it is fine enough to be used.

use super::Weights;

/// Largest difference from the next finer run, relative to the largest value, of a run that is used.
const DIVERGED: f64 = 0.5;

/// The recorded Real values of a finished run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    /// Steps per step of the base mesh.
    pub(crate) subdivisions: u32,
    /// Communication steps in all.
    pub(crate) steps: u64,
    /// Rows one after the other; every run has the same rows and columns.
    pub(crate) values: Vec<f64>,
}

impl Run {
    pub(crate) fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.is_finite())
    }

    /// Whether it differs anywhere from a finer run by more than half of the largest value of the output. Near a zero of an output that
    /// oscillates, a run that differs by more than what is there can be useful all the same.
    fn diverges_from(&self, finer: &Self, weights: &Weights) -> bool {
        let columns = weights.columns();
        let mut largest = vec![0.0_f64; columns];
        for row in finer.values.chunks(columns) {
            for (k, (largest, value)) in largest.iter_mut().zip(row).enumerate() {
                *largest = largest.max(weights.scale(k, *value));
            }
        }
        let mut rows = self.values.chunks(columns).zip(finer.values.chunks(columns));
        rows.any(|(coarse, fine)| {
            coarse.iter().zip(fine).zip(&largest).any(|((a, b), largest)| (a - b).abs() > DIVERGED * largest)
        })
    }
}

/// How many of the coarsest runs (runs from coarse to fine) are too coarse: each that diverges from the next finer one, with all
/// coarser ones.
pub(crate) fn diverged(runs: &[Run], weights: &Weights) -> usize {
    (1..runs.len()).rev().find(|&fine| runs[fine - 1].diverges_from(&runs[fine], weights)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_control::global::Promise;

    fn run(subdivisions: u32, values: &[f64]) -> Run {
        Run { subdivisions, steps: 1, values: values.to_vec() }
    }

    #[test]
    fn a_diverging_run_goes_with_all_coarser_ones() {
        let promise = Promise { tolerance: 1e-6, absolute: None, nominals: vec![None, None] };
        let rows = [[1.0, 9.0, 1.0, 9.0], [1.0, 4.0, 1.0, 2.0], [1.0, 2.0, 1.0, 2.0], [1.0, 2.1, 1.0, 2.1]];
        let runs: Vec<Run> = (1..).zip(&rows).map(|(n, values)| run(n, values)).collect();
        let weights = promise.weights(&runs[3].values);
        assert_eq!(diverged(&runs, &weights), 2);
        assert_eq!(diverged(&runs[2..], &weights), 0);
        assert!(!run(1, &[f64::NAN]).is_finite());
    }
}
