//! Iteration inside loops, with rollback, until the exchanged values stop changing.
//!
//! Start reading at [`Iteration::converge`]. A [`Correction`] chooses the next values: an acceleration of `../acceleration`, or
//! [`Newton`], which reads derivatives from the instances.

mod correction;
mod newton;
mod unconverged;

pub(crate) use correction::{Correction, Pass, Values};
pub(crate) use newton::Newton;
pub use unconverged::Unconverged;

use lotka_plan::graph::StronglyConnectedComponent;

use super::{AccelerationMethod, Attempt, Coupled, Level, Refusal, Signals, Step, Sweep, proceed, refuse};
use crate::{
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::Tolerances,
    resolved,
};

/// Share of the largest value of an output so far. Changes of smaller values are no longer judged relative to the value if no
/// absolute tolerance is known, as in the error bound of a verified run.
const NEGLIGIBLE: f64 = 1e-3;

/// Rounding errors of a value, in units of the rounding of the largest value of its loop; used if no absolute tolerance is known.
const ROUNDINGS: f64 = 8.0;

/// Repeats passes from the same point until the values of the loop converge. The WRMS norm of the change of its connected Real
/// outputs must be at most 1 in units of the tolerances. Its connected integers, booleans and strings must not change at all.
pub(crate) struct Iteration {
    limit: u32,
    tolerances: Tolerances,
    accelerated: bool,
    /// Whether values must be as exact as possible.
    is_tight: bool,
    /// One per component; `None` where there is no loop.
    loops: Vec<Option<Loop>>,
    /// Integers, booleans and strings before the pass.
    discrete: Signals,
    /// Whether the values of the last pass are kept if a loop does not converge.
    keeps_last: bool,
    /// Shorter steps are not iterated \[s\].
    shortest: f64,
    /// The loop of the present step that converged least, among those kept without convergence.
    unconverged: Option<Unconverged>,
}

/// One loop.
struct Loop {
    instances: Vec<usize>,
    /// Its connected Real outputs.
    signals: Vec<usize>,
    /// The input of a pass, its result, and the weight of each value.
    x: Vec<f64>,
    g: Vec<f64>,
    weights: Vec<f64>,
    /// The largest of each value at communication points so far, and the absolute tolerance.
    largest: Vec<f64>,
    absolute: Vec<f64>,
    correction: Box<dyn Correction>,
}

impl Iteration {
    /// Creates the iteration of the loops among the components of `coupled`.
    pub(crate) fn new(settings: &resolved::Iteration, coupled: &Coupled) -> Self {
        let components = coupled.plan.components.iter();
        let loops = components.map(|component| component.is_loop.then(|| Loop::new(settings, component, coupled))).collect();
        let accelerated = settings.acceleration != AccelerationMethod::None;
        let resolved::Iteration { limit, tolerances, is_tight, keeps_last, shortest, .. } = *settings;
        let discrete = coupled.newest.clone();
        Self { limit, tolerances, accelerated, is_tight, loops, discrete, keeps_last, shortest, unconverged: None }
    }

    /// Whether steps of this size are iterated \[s\].
    #[inline(always)]
    pub(crate) fn is_for(&self, h: f64) -> bool {
        h >= self.shortest
    }

    /// Begins a step.
    pub(crate) fn begin(&mut self) {
        self.unconverged = None;
    }

    /// The loop of the last step whose last pass was kept although it did not converge; the worst of them.
    pub(crate) fn unconverged(&self) -> Option<&Unconverged> {
        self.unconverged.as_ref()
    }

    pub(crate) fn limit(&self) -> u32 {
        self.limit
    }

    pub(crate) fn tolerances(&self) -> Tolerances {
        self.tolerances
    }

    /// Steps the instances of one loop; `level` holds their state at its beginning. Returns false, without a step, if the
    /// component is no loop.
    pub(crate) fn converge(
        &mut self,
        sweep: &mut dyn Sweep,
        coupled: &mut Coupled,
        component: usize,
        step: Step,
        level: Level,
    ) -> Attempt<bool> {
        let Some(inner) = &mut self.loops[component] else { return Attempt::Continue(false) };
        inner.judge_from(coupled, self.tolerances);
        inner.predict(coupled);
        inner.correction.begin();
        let mut norm = f64::INFINITY;
        // One exact correction reduces the error of the converged values to rounding. Otherwise these errors would add up from
        // step to step.
        let sharpened = u32::from(self.is_tight && inner.correction.costs_no_step(coupled));
        for iteration in 0..self.limit {
            if iteration > 0 {
                inner.correct(coupled, Pass { sweep: &*sweep, step, level })?;
                proceed(coupled.restore_instances(&inner.instances, level))?;
            }
            inner.remember(coupled);
            self.discrete.copy_discrete_from(&coupled.newest);
            coupled.n_iterations += 1;
            sweep.pass(coupled, &inner.instances, step, true)?;
            norm = inner.change(coupled, self.tolerances);
            if iteration >= sharpened && norm <= 1.0 && coupled.newest.same_discrete(&self.discrete) {
                inner.correction.converged();
                return Attempt::Continue(true);
            }
        }
        if self.keeps_last {
            self.keep_last(coupled, component, norm);
            return Attempt::Continue(true);
        }
        // Real outputs that follow a jump may change most, but the jump is the cause.
        let Some(inner) = &self.loops[component] else { return Attempt::Continue(false) };
        let signal = if coupled.newest.same_discrete(&self.discrete) { inner.most_changed() } else { None };
        refuse(Refusal::NotConverged { component, norm, signal, accelerated: self.accelerated }).map_continue(|()| false)
    }

    /// Keeps the values of the last pass although the loop did not converge.
    #[cold]
    fn keep_last(&mut self, coupled: &Coupled, component: usize, norm: f64) {
        let Some(inner) = &self.loops[component] else { return };
        if self.unconverged.as_ref().is_none_or(|worst| norm > worst.norm) {
            let changed = coupled.newest.first_changed(&self.discrete, &coupled.plan).map(str::to_owned);
            self.unconverged = Some(Unconverged { component, norm, changed, residuals: inner.residuals() });
        }
    }
}

impl Loop {
    fn new(settings: &resolved::Iteration, component: &StronglyConnectedComponent, coupled: &Coupled) -> Self {
        let plan = &coupled.plan;
        let signals: Vec<_> = component.members.iter().flat_map(|&instance| plan.instances[instance].connected()).collect();
        let n = signals.len();
        let correction = settings.acceleration.make(coupled, &component.members);
        let instances = component.members.clone();
        let [x, g, weights, largest, absolute] = [(); 5].map(|()| vec![0.0; n]);
        Self { instances, signals, x, g, weights, largest, absolute, correction }
    }

    /// Derives absolute tolerances from the values at the beginning of the step, where none is given.
    fn judge_from(&mut self, coupled: &Coupled, tolerances: Tolerances) {
        for (largest, &signal) in self.largest.iter_mut().zip(&self.signals) {
            *largest = largest.max(coupled.newest.reals[signal].abs());
        }
        let rounding = ROUNDINGS * f64::EPSILON * self.largest.iter().copied().fold(0.0, f64::max);
        for (absolute, largest) in self.absolute.iter_mut().zip(&self.largest) {
            let judged = tolerances.relative * NEGLIGIBLE * largest + rounding;
            // A value that is 0 and stays 0 has converged.
            *absolute = if tolerances.absolute > 0.0 { tolerances.absolute } else { judged.max(f64::MIN_POSITIVE) };
        }
    }

    /// Predicts the values at the end of the step by extrapolating the input signals; held ones stay.
    fn predict(&self, coupled: &mut Coupled) {
        if let Some(inputs) = &mut coupled.inputs {
            inputs.predict(&self.instances, &self.signals, &mut coupled.newest);
        }
    }

    fn remember(&mut self, coupled: &Coupled) {
        for (value, &signal) in self.x.iter_mut().zip(&self.signals) {
            *value = coupled.newest.reals[signal];
        }
    }

    /// WRMS norm of the change of the connected Real outputs.
    fn change(&mut self, coupled: &Coupled, tolerances: Tolerances) -> f64 {
        let mut sum = 0.0;
        for (position, &signal) in self.signals.iter().enumerate() {
            let value = coupled.newest.reals[signal];
            self.g[position] = value;
            self.weights[position] = Tolerances { absolute: self.absolute[position], ..tolerances }.weight(value);
            sum += ((value - self.x[position]) * self.weights[position]).powi(2);
        }
        if self.signals.is_empty() { 0.0 } else { (sum / self.signals.len() as f64).sqrt() }
    }

    /// The Real outputs that changed by more than their tolerance in the last pass, with the change; the largest first.
    fn residuals(&self) -> Vec<(usize, f64)> {
        let weighted = |&(position, residual): &(usize, f64)| (residual * self.weights[position]).abs();
        let all = self.g.iter().zip(&self.x).map(|(g, x)| g - x).enumerate();
        let mut large: Vec<_> = all.filter(|entry| weighted(entry) > 1.0).collect();
        large.sort_by(|a, b| weighted(b).total_cmp(&weighted(a)));
        large.into_iter().map(|(position, residual)| (self.signals[position], residual)).collect()
    }

    /// The connected Real output whose change contributes most to the norm of the last pass.
    fn most_changed(&self) -> Option<usize> {
        let change = |position: &usize| ((self.g[*position] - self.x[*position]) * self.weights[*position]).abs();
        let most = (0..self.signals.len()).max_by(|a, b| change(a).total_cmp(&change(b)));
        most.map(|position| self.signals[position])
    }

    /// Chooses the values for the next pass.
    fn correct(&mut self, coupled: &mut Coupled, pass: Pass<'_>) -> Attempt<()> {
        self.correction.next(coupled, pass, Values { x: &mut self.x, g: &self.g, weights: &self.weights })?;
        for (value, &signal) in self.x.iter().zip(&self.signals) {
            coupled.newest.reals[signal] = *value;
        }
        Attempt::Continue(())
    }
}

impl Persistent for Iteration {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.loops.iter_mut().flatten().try_for_each(|inner| {
            transfer.slice(&mut inner.largest)?;
            inner.correction.transfer(transfer)
        })
    }
}
