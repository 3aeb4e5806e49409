//! The records of a run, and the test whether it is fine enough to be used.

use std::rc::Rc;

use lotka_run::event::Grazing;
use lotka_step::algorithm::Trace;

use super::Weights;

/// Maximum difference of a usable run from the next finer one, relative to the largest value.
const DIVERGED: f64 = 0.5;

/// Minimum number of changes from row to row of a value that counts as moving.
const MOVES: usize = 4;

/// The recorded Real values of a finished run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Run {
    /// Number of the run.
    pub(crate) id: usize,
    /// Steps per step of the base mesh.
    pub(crate) subdivisions: u32,
    /// Total number of communication steps.
    pub(crate) steps: u64,
    /// Values row by row; runs with the same events have the same rows and columns.
    pub(crate) values: Vec<f64>,
    /// Times of the rows \[s\].
    pub(crate) times: Vec<f64>,
    /// Changes of values from step to step.
    pub(crate) trace: Trace,
    /// The rows just before events: runs with other events have other rows.
    pub(crate) events: Vec<usize>,
    /// The places where indicators reversed before their levels.
    pub(crate) grazings: Vec<Grazing>,
    /// Values between base points, if rows lie there.
    pub(crate) inner: Inner,
    /// Columns that were made equal in every run, with their recorded values.
    pub(crate) cleared: Vec<(usize, Vec<f64>)>,
}

/// Values at the ends of equal parts of base steps, without the base points.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Inner {
    /// Number of parts of each base step.
    pub(crate) parts: u32,
    /// Values point by point.
    pub(crate) values: Vec<f64>,
}

impl Run {
    /// Columns with a value that is not finite, each with the time of the first one \[s\].
    pub(crate) fn broken(&self, columns: usize) -> Vec<(usize, f64)> {
        let first = |column: usize| {
            let row = self.values.iter().skip(column).step_by(columns).position(|value| !value.is_finite())?;
            Some((column, self.times.get(row).copied().unwrap_or_default()))
        };
        (0..columns).filter_map(first).collect()
    }

    /// Makes a column equal in every run.
    pub(crate) fn clear(&mut self, column: usize, columns: usize) {
        if !self.cleared.iter().any(|(cleared, _)| *cleared == column) {
            self.cleared.push((column, self.recorded(column, columns)));
        }
        let all = [&mut self.values, &mut self.inner.values];
        all.into_iter().flat_map(|values| values.iter_mut().skip(column).step_by(columns)).for_each(|value| *value = 0.0);
    }

    /// The recorded values of a column, even if it was cleared.
    pub(crate) fn recorded(&self, column: usize, columns: usize) -> Vec<f64> {
        match self.cleared.iter().find(|(cleared, _)| *cleared == column) {
            Some((_, recorded)) => recorded.clone(),
            None => self.values.iter().skip(column).step_by(columns).copied().collect(),
        }
    }

    /// Returns memory that was reserved for more rows and steps.
    pub(crate) fn shrink(&mut self) {
        for values in [&mut self.times, &mut self.values, &mut self.inner.values, &mut self.trace.times] {
            values.shrink_to_fit();
        }
        self.trace.value_traces.iter_mut().flat_map(|of| &mut of.differences).for_each(Vec::shrink_to_fit);
    }

    /// Whether a run on another mesh has bitwise the same values in all of these columns that move.
    pub(crate) fn is_repeated_by(&self, other: &Self, columns: &[bool]) -> bool {
        let column = |run: &Self, index: usize| {
            run.values.iter().skip(index).step_by(columns.len()).map(|y| y.to_bits()).collect::<Vec<_>>()
        };
        let moves = |values: &[u64]| values.windows(2).filter(|pair| pair[0] != pair[1]).count() >= MOVES;
        let entangled = (0..columns.len()).filter(|&index| columns[index]);
        let mut moving =
            entangled.map(|index| (column(self, index), column(other, index))).filter(|(own, _)| moves(own)).peekable();
        moving.peek().is_some() && moving.all(|(own, other)| own == other)
    }

    /// The rows in an order that makes the rows of two runs with equally many events correspond, whatever the position of the
    /// events. The rows at times that all runs share come first, then the two rows of each event.
    fn corresponding(&self, columns: usize) -> Vec<usize> {
        let rows = self.values.len() / columns.max(1);
        let is_of_event =
            |row: &usize| self.events.contains(row) || row.checked_sub(1).is_some_and(|row| self.events.contains(&row));
        let shared = (0..rows).filter(|row| !is_of_event(row));
        shared.chain(self.events.iter().flat_map(|&first| [first, first + 1])).collect()
    }

    /// Pairs of positions of the corresponding values in this run and another one; `None` if that has other events.
    pub(crate) fn pairs(&self, other: &Self, columns: usize) -> Option<Vec<(usize, usize)>> {
        let (own, others) = (self.corresponding(columns), other.corresponding(columns));
        let fit = self.events.len() == other.events.len() && own.len() == others.len();
        let cells =
            |(row, other): (usize, usize)| (0..columns).map(move |column| (row * columns + column, other * columns + column));
        fit.then(|| own.into_iter().zip(others).flat_map(cells).collect())
    }

    /// Pairs of rows at the same times, up to `slack` \[s\], in this run and in one that has some of its rows; rows of events are
    /// excluded.
    pub(crate) fn common_rows(&self, other: &Self, slack: f64) -> Vec<(usize, usize)> {
        let is_of_event = |run: &Self, row: usize| run.events.iter().any(|&first| row == first || row == first + 1);
        let (mut pairs, mut own) = (Vec::new(), 0);
        for (place, time) in other.times.iter().enumerate().filter(|(place, _)| !is_of_event(other, *place)) {
            while own < self.times.len() && (self.times[own] < time - slack || is_of_event(self, own)) {
                own += 1;
            }
            if own < self.times.len() && self.times[own] <= time + slack {
                pairs.push((own, place));
                own += 1;
            }
        }
        pairs
    }

    /// Its first rows.
    pub(crate) fn until(&self, rows: usize, columns: usize) -> Self {
        let (times, values) = (self.times[..rows].to_vec(), self.values[..rows * columns].to_vec());
        Self { id: self.id, subdivisions: self.subdivisions, steps: self.steps, times, values, ..Self::default() }
    }

    /// The number of rows before the first one at which it differs from a finer run by more than half of the largest value of the
    /// output. Near a zero of an oscillating output, a run can be useful even if it differs by more than the value there.
    pub(crate) fn rows_beside(&self, finer: &Self, weights: &Weights) -> usize {
        let columns = weights.columns();
        let mut largest = vec![0.0_f64; columns];
        for row in finer.values.chunks(columns) {
            for (k, (largest, value)) in largest.iter_mut().zip(row).enumerate() {
                *largest = largest.max(weights.scale(k, *value));
            }
        }
        let is_beside = |(coarse, fine): &(&[f64], &[f64])| {
            !coarse.iter().zip(*fine).zip(&largest).any(|((a, b), largest)| (a - b).abs() > DIVERGED * largest)
        };
        self.values.chunks(columns).zip(finer.values.chunks(columns)).take_while(is_beside).count()
    }

    fn diverges_from(&self, finer: &Self, weights: &Weights) -> bool {
        self.rows_beside(finer, weights) < self.values.len().min(finer.values.len()) / weights.columns()
    }
}

/// The number of coarsest runs (of runs from coarse to fine) that are too coarse: each that diverges from the next finer one,
/// with all coarser ones.
pub(crate) fn diverged(runs: &[Rc<Run>], weights: &Weights) -> usize {
    (1..runs.len()).rev().find(|&fine| runs[fine - 1].diverges_from(&runs[fine], weights)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::global::ErrorBound;

    fn run(subdivisions: u32, values: &[f64]) -> Run {
        Run { subdivisions, steps: 1, values: values.to_vec(), ..Run::default() }
    }

    #[test]
    fn a_diverging_run_goes_with_all_coarser_ones() {
        let bound = ErrorBound { tolerance: 1e-6, absolute: None, nominals: vec![None, None], ..ErrorBound::default() };
        let rows = [[1.0, 9.0, 1.0, 9.0], [1.0, 4.0, 1.0, 2.0], [1.0, 2.0, 1.0, 2.0], [1.0, 2.1, 1.0, 2.1]];
        let runs: Vec<Rc<Run>> = (1..).zip(&rows).map(|(n, values)| Rc::new(run(n, values))).collect();
        let weights = bound.weights(&runs[3].values, &[]);
        assert_eq!(diverged(&runs, &weights), 2);
        assert_eq!(diverged(&runs[2..], &weights), 0);
        assert_eq!(run(1, &[1.0, f64::NAN, 2.0, 3.0]).broken(2), [(1, 0.0)]);
    }

    #[test]
    fn a_cleared_column_keeps_its_recorded_values() {
        let mut run = run(1, &[1.0, 5.0, 2.0, 6.0]);
        for _ in 0..2 {
            run.clear(1, 2);
            assert_eq!(
                (&run.values[..], run.recorded(0, 2), run.recorded(1, 2)),
                (&[1.0, 0.0, 2.0, 0.0][..], vec![1.0, 2.0], vec![5.0, 6.0])
            );
        }
    }

    #[test]
    fn a_run_is_repeated_if_all_that_moves_is_equal() {
        let (coarse, fine) = (run(1, &[1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0]), |last| {
            run(2, &[1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, last])
        });
        assert!(coarse.is_repeated_by(&fine(5.0), &[true, true]));
        assert!(!coarse.is_repeated_by(&fine(5.1), &[true, true]));
        assert!(coarse.is_repeated_by(&fine(5.1), &[true, false]), "the other one has no error of coupling");
        assert!(!coarse.is_repeated_by(&fine(5.0), &[false, false]) && !coarse.is_repeated_by(&fine(5.0), &[]));
        let rest = run(1, &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        assert!(!rest.is_repeated_by(&rest, &[true]), "at rest");
    }

    #[test]
    fn rows_about_events_correspond_wherever_they_lie() {
        let with_events = |events: &[usize], values: &[f64]| Run { events: events.to_vec(), ..run(1, values) };
        let before = with_events(&[1], &[0.0, 0.9, 0.9, 1.0, 2.0]);
        let after = with_events(&[2], &[0.0, 1.0, 1.1, 1.1, 2.0]);
        assert_eq!(before.pairs(&after, 1).unwrap(), [(0, 0), (3, 1), (4, 4), (1, 2), (2, 3)]);
        assert_eq!(before.pairs(&before, 1).unwrap().len(), 5);
        assert_eq!(before.pairs(&run(1, &[0.0, 1.0, 2.0]), 1), None, "an event less");
        assert_eq!(before.pairs(&with_events(&[1, 3], &[0.0; 5]), 1), None, "an event more");
    }
}
