//! Rows that are not points of meshes: the choice of the base that the runs divide, and the test whether the rows between its
//! points are within the tolerance.

use std::rc::Rc;

use super::{Search, Turn, last_rows::LastRows};
use crate::global::{Extrapolation, Run};

/// Desired change from the first run to the second one on a base, relative to the largest value. Smaller tolerances require more
/// knowledge between base points. Below each of the tolerances in `SMALL`, the desired change falls with the given power of the
/// tolerance; it falls faster where polynomials would need more points than they have. A base is too coarse if the change exceeds
/// this by the factor `TOO_COARSE`.
const CHANGE: f64 = 0.065;
const SMALL: [(f64, f64); 2] = [(1e-6, 0.09), (1e-9, 0.44)];
const TOO_COARSE: f64 = 1.4;

/// Minimum and maximum factor by which steps become shorter.
const SHORTER: (f64, f64) = (1.25, 4.0);

/// Steps per base step of the run that decides this, and of those from which on rows that cannot be interpolated require base
/// points.
const SECOND: u32 = 2;
const FINE: u32 = 8;

/// Number of tables within the tolerance, with rows that are not, after which base steps become shorter; and the factor.
const MOST_FAILING: u32 = 3;
const HALF: f64 = 2.0;

/// A base with this share of the points of a base with all rows is replaced by the latter.
const NEARLY_ALL: f64 = 0.7;

impl Search {
    /// Changes to another base if the first two runs reveal that it is too coarse. Returns true if it did.
    pub(super) fn replace_coarse_base(&mut self, subdivisions: u32) -> bool {
        if self.settings.off_mesh_rows.is_none() || subdivisions != SECOND || self.is_refined {
            return false;
        }
        let change = if self.runs.len() < 2 { f64::INFINITY } else { self.change() };
        let tolerance = self.settings.bound.tolerance;
        let shares = SMALL.map(|(from, power)| (tolerance / from).min(1.0).powf(power));
        let wanted = CHANGE * shares.into_iter().product::<f64>();
        let is_too_coarse = change > TOO_COARSE * wanted;
        if is_too_coarse {
            self.shorten_steps((change / wanted).sqrt());
        }
        is_too_coarse
    }

    /// Changes to a base with steps shorter by a factor.
    fn shorten_steps(&mut self, factor: f64) {
        let Some(off_mesh) = &self.settings.off_mesh_rows else { return };
        let base = off_mesh.base(self.base.distance() / factor.clamp(SHORTER.0, SHORTER.1), true);
        if base.n_steps() as f64 >= NEARLY_ALL * off_mesh.with_all_rows.n_steps() as f64 {
            self.put_all_rows_on_mesh();
        } else {
            (self.base, self.first_base) = (Rc::new(base.clone()), Rc::new(base));
        }
    }

    /// Makes all rows base points. The best result so far has its rows.
    pub(super) fn put_all_rows_on_mesh(&mut self) {
        if let Some(off_mesh) = self.settings.off_mesh_rows.take() {
            self.best.iter_mut().for_each(|best| best.show(&off_mesh));
            let base = Rc::new(off_mesh.resolved(off_mesh.with_all_rows.clone()));
            (self.base, self.first_base) = (base.clone(), base);
        }
    }

    /// The next action if rows between base points are not within the tolerance although a result is: a finer run, or shorter
    /// base steps. `None` if all rows are.
    pub(super) fn improve_rows(&mut self, result: &Extrapolation) -> Option<Turn> {
        let with_rows = self.with_rows(result)?;
        if with_rows.largest <= self.settings.bound.tolerance {
            return None;
        }
        self.keep(with_rows, 0);
        let finest = self.runs.last().map_or(0, |run| run.subdivisions);
        self.n_failing_rows += u32::from(finest >= FINE);
        if self.n_failing_rows < MOST_FAILING {
            return Some(Turn::Finer);
        }
        self.shorten_steps(HALF);
        Some(Turn::Restart)
    }

    /// A result with largest estimates that include the rows between base points; `None` if there are none.
    fn with_rows(&mut self, result: &Extrapolation) -> Option<Extrapolation> {
        let off_mesh = self.settings.off_mesh_rows.as_ref()?;
        let is_of = |run: &&Rc<Run>| result.subdivisions.contains(&run.subdivisions);
        let runs: Vec<&Run> = self.runs.iter().filter(is_of).map(Rc::as_ref).collect();
        let rows = off_mesh.between(&self.base, result, &runs, &self.weights);
        let with_rows = rows.taken_in((&runs.last()?.times, result), &self.weights);
        let runs = runs.iter().map(|run| run.id).collect();
        self.last_rows = Some(LastRows { runs, used: result.orders.used, rows });
        Some(with_rows)
    }
}
