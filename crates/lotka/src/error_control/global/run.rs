//! What a run recorded, and whether it is fine enough to be used.

use super::Weights;
use crate::algorithm::Bend;

/// Largest difference from the next finer run, relative to the largest value, of a run that is used.
const DIVERGED: f64 = 0.5;

/// The recorded Real values of a finished run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    /// Steps per step of the base mesh.
    pub(crate) subdivisions: u32,
    /// Communication steps in all.
    pub(crate) steps: u64,
    /// Rows one after the other; runs with the same events have the same rows and columns.
    pub(crate) values: Vec<f64>,
    /// How far each exchanged value bent, in the same order in every run.
    pub(crate) bends: Vec<Bend>,
    /// The rows just before events: runs with other ones have other rows.
    pub(crate) events: Vec<usize>,
}

impl Run {
    /// Columns with a value that is not finite.
    pub(crate) fn broken(&self, columns: usize) -> Vec<usize> {
        let is_broken = |column: &usize| self.values.iter().skip(*column).step_by(columns).any(|value| !value.is_finite());
        (0..columns).filter(is_broken).collect()
    }

    /// Makes a column the same in every run.
    pub(crate) fn clear(&mut self, column: usize, columns: usize) {
        self.values.iter_mut().skip(column).step_by(columns).for_each(|value| *value = 0.0);
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

/// Share of the bends of a coarser run, with steps twice as large or more, above which bends do not fall with the step size. Those of smooth
/// signals fall to a quarter, those of kinks to a half.
const JUMP: f64 = 0.7;

/// The exchanged value that jumps most relative to its size, if any jumps by more than a share of `tolerance`: its bends are as large with
/// fine steps as with coarse ones. No power of the step size is in the errors then: with k steps per row the time of a jump is known to one
/// of k parts of the row only, and runs can agree on values that are wrong.
pub(crate) fn jump(runs: &[Run], tolerance: f64) -> Option<usize> {
    let fine = runs.last()?;
    let coarse = runs.iter().rev().find(|run| 2 * run.subdivisions <= fine.subdivisions)?;
    let sizes = fine.bends.iter().zip(&coarse.bends).map(|(fine, coarse)| {
        if fine.largest > JUMP * coarse.largest { fine.largest / fine.size.max(f64::MIN_POSITIVE) } else { 0.0 }
    });
    let (value, size) = sizes.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (size > tolerance).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_control::global::Promise;

    fn run(subdivisions: u32, values: &[f64]) -> Run {
        Run { subdivisions, steps: 1, values: values.to_vec(), bends: Vec::new(), events: Vec::new() }
    }

    #[test]
    fn a_diverging_run_goes_with_all_coarser_ones() {
        let promise = Promise { tolerance: 1e-6, absolute: None, nominals: vec![None, None], is_free: Vec::new() };
        let rows = [[1.0, 9.0, 1.0, 9.0], [1.0, 4.0, 1.0, 2.0], [1.0, 2.0, 1.0, 2.0], [1.0, 2.1, 1.0, 2.1]];
        let runs: Vec<Run> = (1..).zip(&rows).map(|(n, values)| run(n, values)).collect();
        let weights = promise.weights(&runs[3].values);
        assert_eq!(diverged(&runs, &weights), 2);
        assert_eq!(diverged(&runs[2..], &weights), 0);
        assert_eq!(run(1, &[1.0, f64::NAN, 2.0, 3.0]).broken(2), [1]);
    }

    /// A run in which one value is of size 2 and bends so far.
    fn bent(subdivisions: u32, largest: f64) -> Run {
        Run { bends: vec![Bend::default(), Bend { largest, size: 2.0 }], ..run(subdivisions, &[]) }
    }

    #[test]
    fn bends_that_do_not_fall_are_jumps() {
        // The bend at step size h is `a + b h^q`.
        for (a, b, q, expected) in [(0.0, 1.0, 2, None), (0.0, 1.0, 1, None), (1.0, 0.1, 1, Some(1))] {
            let runs: Vec<_> = [1, 2, 3, 4, 6, 8].map(|n| bent(n, a + b * f64::from(n).powi(-q))).into();
            for count in 2..=runs.len() {
                assert_eq!(jump(&runs[..count], 1e-3), expected, "{count}");
            }
        }
        assert_eq!(jump(&[bent(1, 1.0)], 1e-3), None, "nothing to compare with");
        assert_eq!(jump(&[bent(1, 1e-4), bent(2, 1e-4)], 1e-3), None, "too small to matter");
    }
}
