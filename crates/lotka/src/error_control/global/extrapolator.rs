//! Takes run after run; keeps the best result.

use super::refinement::Refinement;
use super::run::{diverged, jump};
use super::tableau::{extrapolate, level};
use super::verdict::History;
use super::{Extrapolation, GiveUp, Ladder, Next, Promise, Run, SignChange, Weights};

/// Runs in a result that keeps a tolerance, at least.
pub(crate) const FEWEST: usize = 3;

/// Steps per step of the base mesh that share no factor with fewer ones.
const COPRIME: u32 = 7;

/// An estimate below this many times the share of rounding and noise in it gets no better.
const NEAR: f64 = 4.0;

/// What an [`Extrapolator`] works with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) promise: Promise,
    /// The powers the method promises.
    pub(crate) ladder: Ladder,
    /// Noise of a run (rollback that is not exact), relative to the scale of the values; 0 if there is none.
    pub(crate) noise: f64,
    /// Most steps per step of the base mesh.
    pub(crate) largest_refinement: u32,
    /// The steps per step of the base mesh that the FMUs bear, in order; any if there are none given.
    pub(crate) admitted: Option<Vec<u32>>,
    /// Whether a column is of an instance that depends on itself by way of others: coupling has an error in it. One per column, or none at all.
    pub(crate) is_entangled: Vec<bool>,
}

/// The state of an error-controlled result: usable runs and the best extrapolation.
///
/// [`Extrapolator::first`] names the first run; [`Extrapolator::add`] and [`Extrapolator::fail`] take what became of it and name the
/// next, until it is no [`Next::Run`].
#[derive(Debug)]
pub(crate) struct Extrapolator {
    settings: Settings,
    runs: Vec<Run>,
    weights: Weights,
    best: Option<Extrapolation>,
    /// Columns that are not finite in the last run, and those that were not in two runs one after the other: nothing is promised of these.
    suspects: Vec<usize>,
    excluded: Vec<usize>,
    history: History,
}

impl Extrapolator {
    pub(crate) fn new(settings: Settings) -> Self {
        let weights = settings.promise.weights(&[]);
        Self {
            settings,
            runs: Vec::new(),
            weights,
            best: None,
            suspects: Vec::new(),
            excluded: Vec::new(),
            history: History::default(),
        }
    }

    /// The run to begin with.
    pub(crate) fn first(&self) -> Next {
        Next::Run(self.settings.admitted.iter().flatten().next().copied().unwrap_or(1))
    }

    /// The run that would follow a finished run with so many subdivisions.
    pub(crate) fn after(&self, subdivisions: u32) -> u32 {
        let mut usable = self.subdivisions();
        usable.push(subdivisions);
        self.following(subdivisions, &usable).unwrap_or(u32::MAX)
    }

    /// The number after `tried`; `None` if the FMUs bear no further one.
    fn following(&self, tried: u32, usable: &[u32]) -> Option<u32> {
        match &self.settings.admitted {
            Some(admitted) => admitted.iter().copied().find(|next| *next > tried),
            None => Some(self.refinement().next(tried, usable)),
        }
    }

    /// Whether the FMUs bear so many steps per step of the base mesh, as far as is known.
    pub(crate) fn admits(&self, subdivisions: u32) -> bool {
        self.settings.admitted.as_ref().is_none_or(|admitted| admitted.is_empty() || admitted.contains(&subdivisions))
    }

    /// Only these numbers (in order) are borne, as a run has shown: others no longer count. If there are none, nothing is known of the error of
    /// the finest run.
    pub(crate) fn restrict(&mut self, admitted: Vec<u32>) -> Result<Next, SignChange> {
        match admitted.is_empty() {
            true => drop(self.runs.drain(..self.runs.len().saturating_sub(1))),
            false => self.runs.retain(|run| admitted.contains(&run.subdivisions)),
        }
        let first = admitted.first().copied();
        self.settings.admitted = Some(admitted);
        self.best = None;
        self.history.forget();
        match self.runs.last().map(|run| run.subdivisions) {
            Some(tried) => self.judge(tried),
            None => Ok(Next::Run(first.unwrap_or(1))),
        }
    }

    /// Takes a finished run, finer than all before. One with values that are not finite counts as failed, unless the same columns were not
    /// finite in the run before: these are then left out.
    pub(crate) fn add(&mut self, run: Run) -> Result<Next, SignChange> {
        let tried = run.subdivisions;
        if self.exclude(&run) {
            return Ok(self.fail(tried));
        }
        self.forget_other_events(&run);
        let repeats = self.runs.last().is_some_and(|last| last.is_repeated_by(&run, &self.settings.is_entangled));
        self.runs.push(run);
        if repeats {
            self.restrict(Vec::new())?;
            return Ok(Next::GiveUp(GiveUp::EqualRuns));
        }
        self.clear_excluded();
        self.judge(tried)
    }

    /// The best result of the runs so far, the last of which was `tried`, and what comes next.
    fn judge(&mut self, tried: u32) -> Result<Next, SignChange> {
        self.weigh()?;
        self.drop_coarse();
        let jump = jump(&self.runs, self.settings.promise.tolerance);
        let refinement = self.refinement();
        let tables = refinement.select(&self.subdivisions()).into_iter().map(|selected| {
            let table: Vec<&Run> = self.runs.iter().filter(|run| selected.contains(&run.subdivisions)).collect();
            extrapolate(&table, self.settings.ladder, &self.weights, self.settings.noise, jump)
        });
        let better = |a: Extrapolation, b: Extrapolation| if b.largest < a.largest { b } else { a };
        let Some(result) = tables.reduce(better) else { return Ok(self.refine(tried)) };
        self.history.usable(&result);
        let (largest, floor) = (result.largest, result.floor);
        let confirmed = self.confirm(tried, &result);
        self.keep(result);
        Ok(match self.history.give_up() {
            _ if largest <= self.settings.promise.tolerance => confirmed,
            _ if floor > self.settings.promise.tolerance && largest <= NEAR * floor => {
                Next::GiveUp(GiveUp::RoundingFloor { floor })
            }
            Some(reason) => Next::GiveUp(reason),
            None => self.refine(tried),
        })
    }

    /// Drops runs with other events than this one, which is finer: their rows do not correspond.
    fn forget_other_events(&mut self, run: &Run) {
        if self.runs.last().is_some_and(|last| last.events != run.events) {
            self.runs.clear();
            self.best = None;
            self.history.forget();
        }
    }

    /// What comes after a result within the tolerance. It needs a third run, as two show no order; and where an output is the same in all of
    /// them, one with a number of steps that shares no factor with theirs: what repeats in every step of coarse runs looks constant.
    fn confirm(&self, tried: u32, result: &Extrapolation) -> Next {
        let is_fine = tried >= COPRIME || !result.orders.is_silent;
        match self.refine(tried) {
            _ if is_fine && result.subdivisions.len() >= FEWEST => Next::Reached,
            Next::Run(next) if self.settings.admitted.is_none() && next == tried + 1 && result.subdivisions.len() >= FEWEST => {
                Next::Run(COPRIME)
            }
            next => next,
        }
    }

    /// Whether a run has values that are not finite in other columns than the run before.
    fn exclude(&mut self, run: &Run) -> bool {
        let mut broken = run.broken(self.weights.columns());
        broken.retain(|column| !self.excluded.contains(column));
        if broken == self.suspects {
            self.excluded.append(&mut self.suspects);
            return false;
        }
        self.suspects = broken;
        !self.suspects.is_empty()
    }

    fn clear_excluded(&mut self) {
        let columns = self.weights.columns();
        for run in &mut self.runs {
            self.excluded.iter().for_each(|&column| run.clear(column, columns));
        }
    }

    /// Columns nothing is promised of, as they have values that are not finite.
    pub(crate) fn excluded(&self) -> &[usize] {
        &self.excluded
    }

    /// Takes note that a run failed (discard, error, a value that is not finite).
    pub(crate) fn fail(&mut self, subdivisions: u32) -> Next {
        self.history.failed();
        match self.history.give_up() {
            Some(reason) => Next::GiveUp(reason),
            None => self.refine(subdivisions),
        }
    }

    /// The result with the smallest estimate that later runs did not refute; none before the first run is finished.
    pub(crate) fn best(&self) -> Option<&Extrapolation> {
        self.best.as_ref()
    }

    /// The best result, the coarsest run in use and the weights, for
    /// [`join_own_error`](super::join_own_error); none before the first run is finished.
    pub(crate) fn finish(self) -> Option<(Extrapolation, Run, Weights)> {
        let best = self.best?;
        let coarsest = self.runs.into_iter().find(|run| best.subdivisions.contains(&run.subdivisions))?;
        Some((best, coarsest, self.weights))
    }

    /// Steps per step of the base mesh of the runs in use. The best result rests on some of these.
    pub(crate) fn subdivisions(&self) -> Vec<u32> {
        self.runs.iter().map(|run| run.subdivisions).collect()
    }

    fn weigh(&mut self) -> Result<(), SignChange> {
        let finest: Vec<&[f64]> = self.runs.iter().rev().take(2).map(|run| &run.values[..]).collect();
        self.weights = self.settings.promise.weights(finest[0]);
        if finest.len() == 2 { self.settings.promise.check_signs(&finest) } else { Ok(()) }
    }

    fn drop_coarse(&mut self) {
        let dropped: Vec<Run> = self.runs.drain(..diverged(&self.runs, &self.weights)).collect();
        let rests = |best: &Extrapolation| dropped.iter().any(|run| best.subdivisions.contains(&run.subdivisions));
        if self.best.take_if(|best| rests(best)).is_some() {
            self.history.forget();
        }
    }

    fn refinement(&self) -> Refinement {
        let steps = self.runs.last().map_or(0, |run| run.steps);
        let Settings { ladder, noise, ref promise, .. } = self.settings;
        Refinement { ladder, level: level(steps, noise), tolerance: promise.tolerance }
    }

    /// A further run after `tried`, also where the tolerance is reached.
    pub(crate) fn refine(&self, tried: u32) -> Next {
        let Some(next) = self.following(tried, &self.subdivisions()) else {
            let meshes = self.settings.admitted.as_ref().map_or(self.runs.len(), |admitted| admitted.len().min(self.runs.len()));
            return Next::GiveUp(GiveUp::NoMesh { meshes });
        };
        match next {
            next if next > self.settings.largest_refinement => match self.runs.is_empty() {
                false => Next::GiveUp(GiveUp::LargestRefinement { subdivisions: tried }),
                true => Next::GiveUp(self.history.only_failures()),
            },
            next => Next::Run(next),
        }
    }

    /// Keeps the better result; an older one only if the new one has not found that its orders do not show.
    fn keep(&mut self, result: Extrapolation) {
        let refuted = |best: &Extrapolation| {
            let contradicts = |found: bool, before: bool| found && !before;
            contradicts(result.orders.shortfall.is_some(), best.orders.shortfall.is_some())
                || contradicts(result.orders.jump.is_some(), best.orders.jump.is_some())
        };
        if self.best.as_ref().is_none_or(|best| result.largest <= best.largest || refuted(best)) {
            self.best = Some(result);
        }
    }
}
