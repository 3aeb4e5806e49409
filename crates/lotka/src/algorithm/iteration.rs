//! Iteration inside loops, with rollback, until the exchanged values change no more.

use super::{Attempt, Coupled, Level, Refusal, Signals, Sweep, proceed, refuse};
use crate::{error_control::Tolerances, system::resolve};

/// Fixed-point iteration: passes are repeated from the same point until the WRMS norm of the change of the loop's connected Real
/// outputs is at most 1 in units of the tolerances, and its connected integers, booleans and strings do not change at all.
pub(crate) struct Iteration {
    limit: u32,
    tolerances: Tolerances,
    /// Values before the pass.
    previous: Signals,
}

impl Iteration {
    /// An iteration over values of the number and types of `signals`.
    pub(crate) fn new(settings: resolve::Iteration, signals: &Signals) -> Self {
        Self { limit: settings.limit, tolerances: settings.tolerances, previous: signals.clone() }
    }

    pub(crate) fn limit(&self) -> u32 {
        self.limit
    }

    /// Steps the instances of one loop from `t` by `h`; `level` holds their state at `t`.
    pub(crate) fn converge(
        &mut self,
        sweep: &dyn Sweep,
        coupled: &mut Coupled,
        component: usize,
        (t, h): (f64, f64),
        level: Level,
    ) -> Attempt<()> {
        let members = std::mem::take(&mut coupled.plan.components[component].members);
        let result = self.iterate(sweep, coupled, component, &members, (t, h), level);
        coupled.plan.components[component].members = members;
        result
    }

    fn iterate(
        &mut self,
        sweep: &dyn Sweep,
        coupled: &mut Coupled,
        component: usize,
        members: &[usize],
        (t, h): (f64, f64),
        level: Level,
    ) -> Attempt<()> {
        let mut norm = f64::INFINITY;
        for iteration in 0..self.limit {
            if iteration > 0 {
                proceed(coupled.restore_members(members, level))?;
            }
            self.remember(coupled, members);
            coupled.n_iterations += 1;
            sweep.pass(coupled, members, t, h)?;
            norm = self.change(coupled, members);
            if norm <= 1.0 && coupled.newest.same_discrete(&self.previous) {
                return Attempt::Continue(());
            }
        }
        refuse(Refusal::NotConverged { component, norm })
    }

    fn remember(&mut self, coupled: &Coupled, members: &[usize]) {
        for range in members.iter().map(|&member| coupled.plan.units[member].connected()) {
            self.previous.reals[range.clone()].copy_from_slice(&coupled.newest.reals[range]);
        }
        self.previous.copy_discrete_from(&coupled.newest);
    }

    /// WRMS norm of the change of the connected Real outputs.
    fn change(&self, coupled: &Coupled, members: &[usize]) -> f64 {
        let (mut sum, mut count) = (0.0, 0_usize);
        for range in members.iter().map(|&member| coupled.plan.units[member].connected()) {
            count += range.len();
            for (new, old) in coupled.newest.reals[range.clone()].iter().zip(&self.previous.reals[range]) {
                sum += ((new - old) * self.tolerances.weight(*new)).powi(2);
            }
        }
        if count == 0 { 0.0 } else { (sum / count as f64).sqrt() }
    }
}
