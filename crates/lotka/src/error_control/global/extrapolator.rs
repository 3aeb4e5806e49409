//! Takes run after run; keeps the best result.

use super::refinement::Refinement;
use super::run::diverged;
use super::tableau::{extrapolate, level};
use super::verdict::History;
use super::{Extrapolation, GiveUp, Ladder, Next, Promise, Run, SignChange, Weights};

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
    history: History,
}

impl Extrapolator {
    pub(crate) fn new(settings: Settings) -> Self {
        let weights = settings.promise.weights(&[]);
        Self { settings, runs: Vec::new(), weights, best: None, history: History::default() }
    }

    /// The run to begin with.
    pub(crate) fn first(&self) -> Next {
        Next::Run(1)
    }

    /// The run that would follow a finished run with so many subdivisions.
    pub(crate) fn after(&self, subdivisions: u32) -> u32 {
        let mut usable = self.subdivisions();
        usable.push(subdivisions);
        self.refinement().next(subdivisions, &usable)
    }

    /// Takes a finished run, finer than all before. One with values that are not finite counts as failed.
    pub(crate) fn add(&mut self, run: Run) -> Result<Next, SignChange> {
        if !run.is_finite() {
            return Ok(self.fail(run.subdivisions));
        }
        let tried = run.subdivisions;
        self.runs.push(run);
        self.weigh()?;
        self.drop_coarse();
        let refinement = self.refinement();
        let tables = refinement.select(&self.subdivisions()).into_iter().map(|selected| {
            let table: Vec<&Run> = self.runs.iter().filter(|run| selected.contains(&run.subdivisions)).collect();
            extrapolate(&table, self.settings.ladder, &self.weights, self.settings.noise)
        });
        let better = |a: Extrapolation, b: Extrapolation| if b.largest < a.largest { b } else { a };
        let Some(result) = tables.reduce(better) else { return Ok(self.refine(tried)) };
        self.history.usable(&result);
        let (largest, floor) = (result.largest, result.floor);
        self.keep(result);
        Ok(match self.history.give_up() {
            _ if largest <= self.settings.promise.tolerance => Next::Reached,
            _ if floor > self.settings.promise.tolerance && largest <= NEAR * floor => {
                Next::GiveUp(GiveUp::RoundingFloor { floor })
            }
            Some(reason) => Next::GiveUp(reason),
            None => self.refine(tried),
        })
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

    fn subdivisions(&self) -> Vec<u32> {
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

    fn refine(&self, tried: u32) -> Next {
        match self.refinement().next(tried, &self.subdivisions()) {
            next if next > self.settings.largest_refinement => match self.best {
                Some(_) => Next::GiveUp(GiveUp::LargestRefinement { subdivisions: tried }),
                None => Next::GiveUp(self.history.only_failures()),
            },
            next => Next::Run(next),
        }
    }

    /// Keeps the better result; an older one only if the new one has not found that its orders do not show.
    fn keep(&mut self, result: Extrapolation) {
        let refuted = |best: &Extrapolation| result.orders.shortfall.is_some() && best.orders.shortfall.is_none();
        if self.best.as_ref().is_none_or(|best| result.largest <= best.largest || refuted(best)) {
            self.best = Some(result);
        }
    }
}
