//! The beginning of results whose runs part later, as those of chaotic systems do: however fine their meshes, small differences
//! grow without limit.

use std::rc::Rc;

use lotka_prepare::mesh::Between;

use super::{FEWEST, Made, Obstacle, Runner, Search};
use crate::global::{Extrapolation, Run, tableau};

/// Errors from which a result is of no use as a whole, relative to the scale.
const USELESS: f64 = 0.1;

/// Shares of the rows up to which two runs are usable together that are tried: the orders show only well before runs part.
const SHARES: [f64; 3] = [1.0, 0.8, 0.6];

impl Search {
    /// Replaces a result that is of no use as a whole by one whose first rows are within the tolerance, if there are any. Returns
    /// whether it did.
    pub(super) fn keep_beginning(&mut self, runner: &mut dyn Runner) -> bool {
        let is_useless = self.best.as_ref().is_none_or(|best| best.result.largest.is_nan() || best.result.largest > USELESS);
        let have_parted = !self.parted.is_empty() && self.runs.len() < FEWEST;
        let has_meshes = self.settings.max_calls.is_none() && self.settings.admitted.is_none() && !self.settings.has_events;
        let Some(finest) = self.runs.last().cloned().filter(|_| is_useless && have_parted && has_meshes) else { return false };
        let columns = self.weights.columns();
        let all: Vec<Rc<Run>> = self.parted.iter().chain(&self.runs).filter(|run| run.times == finest.times).cloned().collect();
        let usable = std::mem::take(&mut self.runs);
        let rows = all.windows(2).map(|pair| pair[0].rows_beside(&pair[1], &self.weights));
        let candidates: Vec<usize> = rows.flat_map(|rows| SHARES.map(|share| (share * rows as f64) as usize)).collect();
        let longest = candidates.into_iter().filter_map(|rows| self.beginning(&all, rows)).max_by_key(|(_, kept)| *kept);
        self.runs = usable;
        let Some((table, kept)) = longest else { return false };
        let mesh = Between::check(0, finest.subdivisions);
        let Made::Finished(run) = runner.between(&self.base, mesh, &[], None) else { return false };
        let kept = self.agreeing(&table, &finest.until(kept, columns), &run);
        if kept <= 1 {
            return false;
        }
        let mut result = tableau::alone(&finest, self.settings.expansion, &self.weights, self.settings.noise);
        let known = kept * columns;
        result.estimate.fill(f64::INFINITY);
        result.values[..known].copy_from_slice(&table.values[..known]);
        result.estimate[..known].copy_from_slice(&table.estimate[..known]);
        result.subdivisions = table.subdivisions;
        result.measure(&self.weights);
        self.obstacle = Some(Obstacle::Parts { time: finest.times[kept - 1] });
        (self.runs, self.best) = (all, None);
        self.keep(result, 0);
        self.best.iter_mut().for_each(|best| best.is_compared = true);
        true
    }

    /// The table of the first rows, and the number of rows before the first error above the tolerance.
    fn beginning(&mut self, all: &[Rc<Run>], rows: usize) -> Option<(Extrapolation, usize)> {
        let columns = self.weights.columns();
        let first_part = all.iter().filter(|run| run.rows_beside(&all[all.len() - 1], &self.weights) >= rows);
        self.runs = first_part.map(|run| Rc::new(run.until(rows, columns))).collect();
        let mut table = self.table().filter(|table| table.subdivisions.last() == all.last().map(|run| &run.subdivisions))?;
        self.widen(&mut table);
        let kept = self.n_reliable_rows(&table);
        (kept > 1).then_some((table, kept))
    }

    /// The number of rows before the first one with an estimate above the tolerance.
    fn n_reliable_rows(&self, table: &Extrapolation) -> usize {
        let columns = self.weights.columns();
        let is_kept = |index: &usize| {
            let error = self.weights.relative(index % columns, table.values[*index], table.estimate[*index]);
            error <= self.settings.bound.tolerance
        };
        (0..table.values.len()).take_while(is_kept).count() / columns
    }

    /// The number of rows of a run before the first one at which a run on another mesh contradicts the table.
    fn agreeing(&self, table: &Extrapolation, same: &Run, other: &Run) -> usize {
        let columns = self.weights.columns();
        let first = Extrapolation {
            values: table.values[..same.values.len()].to_vec(),
            estimate: table.estimate[..same.values.len()].to_vec(),
            ..table.clone()
        };
        let since = self.compare(other, same, &first).since();
        same.times.iter().take_while(|time| **time < since).count().min(same.values.len() / columns)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::ErrorExpansion,
            samples::{Fake, search},
        },
        *,
    };

    /// Rows 0 to 5, with an error of even powers that grows from row to row until runs have nothing in common.
    fn run(subdivisions: u32) -> Run {
        let error = f64::from(subdivisions).powi(-2);
        let grown = |row: i32| if row < 4 { 1.0 + 1e-6 * 10.0_f64.powi(row) * error } else { f64::from(subdivisions) };
        let times = (0..6).map(f64::from).collect();
        Run { id: subdivisions as usize, subdivisions, steps: 1, times, values: (0..6).map(grown).collect(), ..Run::default() }
    }

    fn parted(other: fn(u32) -> f64) -> (Search, bool) {
        let mut search = search(ErrorExpansion::Even, &[]);
        search.parted = [1, 2, 4, 8].map(|subdivisions| Rc::new(run(subdivisions))).to_vec();
        search.runs = vec![Rc::new(run(16))];
        search.weights = search.settings.bound.weights(&search.runs[0].values, &[]);
        let found = search.keep_beginning(&mut Fake::new(other));
        (search, found)
    }

    #[test]
    fn rows_before_runs_part_are_kept() {
        let (search, found) = parted(|_| 1.0);
        let best = search.best.unwrap();
        assert!(found && best.is_compared, "{best:?}");
        assert!(best.result.values[..4].iter().all(|value| (value - 1.0).abs() < 1e-12), "{best:?}");
        assert!(best.result.estimate[..4].iter().all(|error| *error < 1e-6) && best.result.estimate[4].is_infinite(), "{best:?}");
        assert!(matches!(search.obstacle, Some(Obstacle::Parts { time: 3.0 })));
    }

    #[test]
    fn rows_that_another_mesh_contradicts_are_not() {
        let (search, found) = parted(|_| 1.5);
        assert!(!found && search.best.is_none());
    }
}
