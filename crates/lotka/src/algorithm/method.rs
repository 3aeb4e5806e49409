//! A master algorithm: a sweep, and the iteration of loops if there is one.

use super::{Attempt, Coupled, Level, Signals, Sweep, iteration::Iteration, make_sweep};
use crate::system::resolve;

/// Makes one communication step from the current state of the instances.
pub(crate) struct Method {
    sweep: Box<dyn Sweep>,
    iteration: Option<Iteration>,
    order: Vec<usize>,
}

impl Method {
    pub(crate) fn new(algorithm: &resolve::Algorithm, order: &[usize], signals: &Signals) -> Self {
        let iteration = algorithm.iteration.map(|settings| Iteration::new(settings, signals));
        Self { sweep: make_sweep(algorithm.sweep), iteration, order: order.to_vec() }
    }

    /// Order of the method, for error estimates.
    pub(crate) fn order(&self) -> u32 {
        self.sweep.order()
    }

    /// Whether a step needs the state at its begin to be saved.
    pub(crate) fn needs_rollback(&self) -> bool {
        self.iteration.is_some()
    }

    /// Largest number of iterations; 1 = none.
    pub(crate) fn iteration_limit(&self) -> u32 {
        self.iteration.as_ref().map_or(1, Iteration::limit)
    }

    /// Steps all instances from `t` by `h`. If [`Method::needs_rollback`], `level` holds the state at `t`.
    ///
    /// With iteration, components are stepped one after the other, sources first, and a component sees the end values of
    /// those before it; without, the sweep goes over all instances at once.
    #[inline]
    pub(crate) fn advance(&mut self, coupled: &mut Coupled, t: f64, h: f64, level: Level) -> Attempt<()> {
        let result = match &self.iteration {
            None => self.sweep.pass(coupled, &self.order, t, h),
            Some(_) => self.advance_components(coupled, t, h, level),
        };
        coupled.judge(result)
    }

    #[inline(never)]
    fn advance_components(&mut self, coupled: &mut Coupled, t: f64, h: f64, level: Level) -> Attempt<()> {
        let Some(iteration) = &mut self.iteration else { return Attempt::Continue(()) };
        for component in 0..coupled.plan.components.len() {
            if coupled.plan.components[component].is_loop {
                iteration.converge(&*self.sweep, coupled, component, (t, h), level)?;
            } else {
                let member = coupled.plan.components[component].members[0];
                coupled.step_with_newest(member, t, h)?;
            }
        }
        Attempt::Continue(())
    }
}
