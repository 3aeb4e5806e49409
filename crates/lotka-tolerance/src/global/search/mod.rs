//! The search for a result that meets the tolerance: the choice of runs, and the use of their results.
//!
//! Runs on meshes that divide the [`Base`] are extrapolated if they have the orders that the method guarantees
//! ([`super::tableau`]). If signals are not smooth at the scale of the mesh, the base is [refined](refine) there and the search
//! restarts. A result is valid if two runs on meshes with other points agree with it ([`check`]). If there is no order, the
//! finest run is the result, provided that many runs agree with it ([`agreement`]).

mod accept;
mod agreement;
mod base_for_rows;
mod beginning;
mod check;
mod decision;
mod discontinuities;
mod discontinuity_bracket;
mod fast_modes;
mod found;
mod grazing;
mod hidden;
mod last_rows;
mod off_mesh_rows;
mod refine;
mod remaining_error;
mod ripple;
mod runner;
mod runs;
#[cfg(test)]
mod samples;
mod sides;
mod table;

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use hidden::Hidden;
use last_rows::LastRows;
use lotka_prepare::{
    mesh::Base,
    trial::{grids::Ripple, stiffness::Locked},
};
use lotka_step::{Error, algorithm::Followed};

use super::{ErrorBound, ErrorExpansion, Extrapolation, GiveUp, Next, Rows, Run, SignChange, Weights};

pub(crate) use discontinuity_bracket::DiscontinuityBracket;
pub(crate) use found::Found;
pub(crate) use off_mesh_rows::OffMeshRows;
pub(crate) use ripple::longest_step;
pub(crate) use runner::{Ending, Explained, Following, Made, NonsmoothPoint, Runner};

/// Minimum number of runs in a result that meets a tolerance.
pub(crate) const FEWEST: usize = 3;

/// Usual number of calls before a tolerance is given up, absolute and as a multiple of those of the first run.
pub(crate) const BUDGET: (u64, u64) = (300_000, 100);

/// The same for runs in which instances of loops solve for their values at the end of each step.
pub(crate) const IMPLICIT_BUDGET: (u64, u64) = (30_000, 100);

/// Settings of a [`Search`].
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) bound: ErrorBound,
    /// The powers that the method guarantees.
    pub(crate) expansion: ErrorExpansion,
    /// Whether the coupling itself is of order 1 because outputs stay stale: values of successive steps need not lie on a smooth
    /// curve.
    pub(crate) is_stale: bool,
    /// Noise of a run (inexact rollback), relative to the scale of the values, or 0.
    pub(crate) noise: f64,
    /// Maximum number of steps per base step.
    pub(crate) largest_refinement: u32,
    /// Number of calls after which the tolerance is given up, if the user sets it.
    pub(crate) max_calls: Option<u64>,
    /// Minimum number of calls before it is given up otherwise, absolute and as a multiple of those of the first run.
    pub(crate) budget: (u64, u64),
    /// Number of earlier calls that do not count if the user does not set it.
    pub(crate) earlier_calls: u64,
    /// The numbers of steps per base step that the FMUs accept, in order; `None` if they accept all.
    pub(crate) admitted: Option<Vec<u32>>,
    /// Whether a column belongs to an instance that depends on itself via others, so that it has a coupling error. One entry per
    /// column, or empty.
    pub(crate) is_entangled: Vec<bool>,
    /// The values of the traces.
    pub(crate) followed: Vec<Followed>,
    /// The instance that coupling schemes leave behind by half a step.
    pub(crate) late: Option<usize>,
    /// Whether an instance acts at declared times.
    pub(crate) acts_at_times: bool,
    /// Whether runs rely on trials of the FMUs, which the observed orders must confirm.
    pub(crate) relies_on_trials: bool,
    /// Whether instances solve for their values at the end of each step, so that steps need not resolve how fast they follow each
    /// other: errors then fall more slowly than with the order of the method.
    pub(crate) is_implicit: bool,
    /// Whether the base was refined before the first run.
    pub(crate) is_refined: bool,
    /// Whether steps end at events, which each run locates for the next one.
    pub(crate) has_events: bool,
    /// Rows that need not be base points; `None` if all rows are.
    pub(crate) off_mesh_rows: Option<OffMeshRows>,
    /// A signal that moves by itself, faster than the base resolves.
    pub(crate) ripple: Option<Ripple>,
}

/// The reason why the best result is doubtful.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Obstacle {
    /// A value is not smooth there at the scale of the finest mesh.
    NotSmooth(DiscontinuityBracket),
    /// An indicator reverses closer to its level than the accuracy of its value \[s\].
    Grazes { signal: usize, time: f64 },
    /// A run with other points differs by more than its error explains, relative to the scale.
    Differs { column: usize, time: f64, by: f64 },
    /// A value follows its inputs within a step, and this share of its mean is not computed \[s\].
    FollowsWithinStep { value: usize, within: f64, by: f64 },
    /// Two outputs follow each other within a time that only very short steps resolve.
    Locked(Locked),
    /// Small differences grow without limit after this time \[s\].
    Parts { time: f64 },
    /// A signal moves by itself, with this period \[s\], faster than the finest base mesh resolves.
    Ripples { signal: usize, period: f64 },
}

/// The end of a search.
pub(crate) enum End {
    Over(Next),
    /// Trials explained a place where signals are not smooth: the search restarts with other runs.
    Explained,
    /// No further run can be made.
    Stopped,
}

/// The action after a run.
pub enum Turn {
    /// A finer run.
    Finer,
    /// All runs restart on another base.
    Restart,
    Over(Next),
    Explained,
    Stopped,
}

/// The state of a search.
pub(crate) struct Search {
    settings: Settings,
    base: Rc<Base>,
    first_base: Rc<Base>,
    /// The usable runs, from coarse to fine.
    runs: Vec<Rc<Run>>,
    /// Runs that are too coarse: they part from the finer ones.
    parted: Vec<Rc<Run>>,
    /// Runs between the points of others with which the finest run is compared, and their number.
    neighbors: Vec<Rc<Run>>,
    n_neighbors: usize,
    checks: HashMap<(u32, usize), Rc<Run>>,
    /// Fast modes of values that do not move in ordinary steps.
    hidden: Vec<Hidden>,
    /// Minimum density: lower ones failed a check.
    least_density: u32,
    weights: Weights,
    best: Option<Found>,
    last_rows: Option<LastRows>,
    /// The last table that would have been accepted if another one had agreed.
    remembered: Option<Extrapolation>,
    /// Number of tables without orders, from the fourth run on; and whether a check failed.
    n_without_order: u32,
    has_failed: bool,
    /// The estimate of the last table.
    last_estimate: Option<f64>,
    /// Base steps that were not smooth in the last run.
    suspected: HashSet<usize>,
    is_refined: bool,
    refines: bool,
    n_refinements: u32,
    /// Number of times that base steps were made to grow from restarts of signals.
    n_graded: u32,
    /// RunFactories of the first refinement, and the largest share of their differences.
    first_places: Option<(usize, f64)>,
    /// RunFactories at which the base was refined.
    places: Vec<DiscontinuityBracket>,
    /// Whether all instances were tried because there was no order.
    has_tried_all: bool,
    /// Instances that switch within steps.
    within: HashSet<usize>,
    /// Number of tables within the tolerance whose rows between base points are not.
    n_failing_rows: u32,
    /// Number of failed runs in a row, and the time at which the last one diverged \[s\].
    failures: usize,
    diverged_at: f64,
    first_calls: Option<u64>,
    suspects: Vec<(usize, f64)>,
    excluded: Vec<usize>,
    obstacle: Option<Obstacle>,
}

impl Search {
    pub(crate) fn new(settings: Settings, base: Base) -> Self {
        let base = Rc::new(base);
        Self {
            weights: settings.bound.weights(&[], &[]),
            is_refined: settings.is_refined,
            settings,
            first_base: base.clone(),
            base,
            runs: Vec::new(),
            parted: Vec::new(),
            neighbors: Vec::new(),
            n_neighbors: 0,
            checks: HashMap::new(),
            hidden: Vec::new(),
            least_density: 0,
            best: None,
            last_rows: None,
            remembered: None,
            n_without_order: 0,
            has_failed: false,
            last_estimate: None,
            suspected: HashSet::new(),
            refines: true,
            n_refinements: 0,
            n_graded: 0,
            first_places: None,
            places: Vec::new(),
            has_tried_all: false,
            within: HashSet::new(),
            n_failing_rows: 0,
            failures: 0,
            diverged_at: f64::NAN,
            first_calls: None,
            suspects: Vec::new(),
            excluded: Vec::new(),
            obstacle: None,
        }
    }

    /// Makes runs until the tolerance is met or no further improvement is possible.
    ///
    /// # Errors
    /// A purely relative error bound was requested for a value that changes sign; or an FMU ended its process during a trial.
    pub(crate) fn go(&mut self, runner: &mut dyn Runner) -> Result<End, Stop> {
        loop {
            self.begin();
            let mut tried = None;
            let turn = loop {
                let next = self.after(tried).and_then(|subdivisions| match self.spent(runner) {
                    Some((calls, limit)) => Err(GiveUp::Budget { calls, limit }),
                    None => Ok(subdivisions),
                });
                let subdivisions = match next {
                    Ok(subdivisions) => subdivisions,
                    Err(reason) => {
                        self.compare_best(runner);
                        let reason = if self.keep_beginning(runner) { GiveUp::Unresolved } else { reason };
                        break Turn::Over(Next::GiveUp(reason));
                    }
                };
                tried = Some(subdivisions);
                match self.turn(subdivisions, runner)? {
                    Turn::Finer => {}
                    other => break other,
                }
            };
            match turn {
                Turn::Finer | Turn::Restart => {}
                Turn::Over(next) => return Ok(End::Over(next)),
                Turn::Explained => return Ok(End::Explained),
                Turn::Stopped => return Ok(End::Stopped),
            }
        }
    }

    /// Clears everything that is based on another base.
    fn begin(&mut self) {
        self.runs.clear();
        self.parted.clear();
        self.neighbors.clear();
        self.checks.clear();
        self.hidden.clear();
        self.suspected.clear();
        (self.remembered, self.last_rows) = (None, None);
        (self.least_density, self.n_without_order, self.n_neighbors, self.n_failing_rows) = (0, 0, 0, 0);
        (self.failures, self.diverged_at) = (0, f64::NAN);
        self.has_failed = false;
        self.last_estimate = None;
    }

    /// Makes one run and evaluates the results.
    fn turn(&mut self, subdivisions: u32, runner: &mut dyn Runner) -> Result<Turn, Stop> {
        let before = runner.calls();
        let made = runner.divide(&self.base, subdivisions, &self.what_follows(subdivisions));
        self.first_calls.get_or_insert(runner.calls() - before);
        match made {
            Made::Stopped => Ok(Turn::Stopped),
            Made::Failed { diverged_at: Some(time) } => Ok(self.diverged_at(time)),
            Made::Failed { diverged_at: None } => Ok(self.failed()),
            Made::Shorter => Ok(self.shorten()),
            Made::Finished(run) => {
                let turn = self.add(*run, runner);
                let used = self.used();
                runner.keep(&used, self.best.as_ref().map(|best| best.result.largest).filter(|largest| largest.is_finite()));
                turn
            }
        }
    }

    fn add(&mut self, run: Run, runner: &mut dyn Runner) -> Result<Turn, Stop> {
        let subdivisions = run.subdivisions;
        if let Some(turn) = self.take(run, runner)? {
            return Ok(turn);
        }
        self.update_weights()?;
        self.drop_coarse();
        if self.runs.len() < FEWEST {
            self.keep_finest(&[]);
            return Ok(if self.replace_coarse_base(subdivisions) { Turn::Restart } else { Turn::Finer });
        }
        self.decide_after_run(runner)
    }

    /// The best result, if there is one.
    pub(crate) fn finish(mut self) -> (Option<Found>, Option<Obstacle>, Vec<DiscontinuityBracket>) {
        if let (Some(found), Some(off_mesh)) = (&mut self.best, &self.settings.off_mesh_rows) {
            match self.last_rows.take().and_then(|last| last.of(found)) {
                Some(rows) => found.rows = rows,
                None => found.show(off_mesh),
            }
        }
        (self.best, self.obstacle, self.places)
    }

    /// Columns without an error bound, because they have values that are not finite.
    pub(crate) fn excluded(&self) -> &[usize] {
        &self.excluded
    }

    /// Keeps a result if it is better than the present one, and returns whether it is.
    fn keep(&mut self, result: Extrapolation, checks: usize) -> bool {
        if self.best.as_ref().is_some_and(|best| best.result.largest <= result.largest && best.result.largest.is_finite()) {
            return false;
        }
        let runs: Vec<_> = self.runs.iter().filter(|run| result.subdivisions.contains(&run.subdivisions)).cloned().collect();
        let Some(finest) = runs.last() else { return false };
        let distance = self.base.longest() / f64::from(finest.subdivisions);
        let (weights, base) = (self.weights.clone(), self.base.clone());
        self.best = Some(Found { result, weights, base, runs, rows: Rows::default(), checks, is_compared: checks > 0, distance });
        true
    }
}

/// The reason why a search cannot continue.
#[derive(Debug)]
pub enum Stop {
    /// A value with a purely relative tolerance changes its sign.
    SignChange(SignChange),
    /// A run failed.
    Error(Box<Error>),
}

impl From<SignChange> for Stop {
    fn from(change: SignChange) -> Self {
        Self::SignChange(change)
    }
}

impl From<Box<Error>> for Stop {
    fn from(error: Box<Error>) -> Self {
        Self::Error(error)
    }
}
