//! A master algorithm: a coupling scheme, and the iteration of loops if there is one.

use std::fmt;

use super::{
    Attempt, Coupled, Level, Signals, Step, Stop, Sweep,
    iteration::{Iteration, Unconverged},
    proceed,
    sweep::GaussSeidel,
};
use crate::{
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::Tolerances,
    resolved,
    signal::Block,
};

/// Makes one communication step from the current state of the instances.
pub struct Method {
    sweep: Box<dyn Sweep>,
    iteration: Option<Iteration>,
    order: Vec<usize>,
    /// Order of consistency.
    consistency: u32,
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Method").field("order", &self.order).field("consistency", &self.consistency).finish_non_exhaustive()
    }
}

impl Method {
    /// Creates the method; `order` is the order in which instances step.
    #[must_use]
    pub fn new(algorithm: &resolved::Algorithm, order: &[usize], coupled: &Coupled) -> Self {
        let iteration = algorithm.iteration.as_ref().map(|settings| Iteration::new(settings, coupled));
        let sweep = algorithm.sweep.make();
        Self { consistency: sweep.order(0), sweep, iteration, order: order.to_vec() }
    }

    /// Order of the method, used by error estimates.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.consistency
    }

    /// Sets the expected order of consistency.
    pub fn expect(&mut self, order: u32) {
        self.consistency = order;
    }

    /// Whether a step needs the state at its beginning to be saved.
    #[must_use]
    pub fn needs_rollback(&self) -> bool {
        self.iteration.is_some()
    }

    /// The instance that lags by half a step where outputs are not due.
    #[must_use]
    pub fn late(&self) -> Option<usize> {
        let has_others = self.order.len() > 1 && self.iteration.is_none();
        (self.sweep.is_symmetric() && has_others).then(|| self.order[0])
    }

    /// Whether an instance lags now.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.sweep.is_behind()
    }

    /// Whether an instance makes a separate step from the middle of a communication step.
    #[must_use]
    pub fn steps_from_middle(&self) -> bool {
        self.sweep.is_symmetric() && self.order.len() > 1
    }

    /// Whether the values at the beginning of a step with held inputs are the held ones at its end.
    #[must_use]
    pub fn holds_begin(&self) -> bool {
        self.sweep.holds_begin() && self.iteration.is_none()
    }

    /// Tolerances of the iteration, if there is one.
    pub fn iteration_tolerances(&self) -> Option<Tolerances> {
        self.iteration.as_ref().map(Iteration::tolerances)
    }

    /// Largest number of iterations; 1 = none.
    pub fn iteration_limit(&self) -> u32 {
        self.iteration.as_ref().map_or(1, Iteration::limit)
    }

    /// The loop of the last step whose last iteration was kept although it did not converge.
    #[inline(always)]
    pub fn unconverged(&self) -> Option<&Unconverged> {
        self.iteration.as_ref().and_then(Iteration::unconverged)
    }

    /// Takes all instances through one step. If [`Method::needs_rollback`], `level` holds the state at its beginning.
    ///
    /// With iteration, components step one after the other, sources first, and each reads the end values of
    /// those before it. Without iteration, the coupling scheme covers all instances at once.
    #[inline]
    pub fn advance(&mut self, coupled: &mut Coupled, step: Step, due: bool, level: Level) -> Attempt<()> {
        coupled.begin_step(step.t, step.h);
        let result = match &mut self.iteration {
            Some(iteration) if iteration.is_for(step.h) => self.advance_components(coupled, step, level),
            iteration => {
                iteration.iter_mut().for_each(Iteration::begin);
                self.sweep.pass(coupled, &self.order, step, due)
            }
        };
        coupled.check_finite(result)
    }

    /// Makes passes over all instances, one after the other, from the state in `level`, each pass with the results of the one
    /// before it. Returns to that state; returns false if a pass is refused.
    pub fn repeat(
        &mut self,
        coupled: &mut Coupled,
        step: Step,
        level: Level,
        passes: usize,
        mut keep: impl FnMut(&Signals),
    ) -> Attempt<bool> {
        coupled.begin_step(step.t, step.h);
        for _ in 0..passes {
            let pass = GaussSeidel.pass(coupled, &self.order, step, true);
            match coupled.check_finite(pass) {
                Attempt::Continue(()) => keep(&coupled.newest),
                Attempt::Break(stop) if matches!(*stop, Stop::Refused(_)) => {
                    return proceed(coupled.restore(level)).map_continue(|()| false);
                }
                Attempt::Break(stop) => return Attempt::Break(stop),
            }
            proceed(coupled.restore_instances(&self.order, level))?;
        }
        proceed(coupled.restore(level)).map_continue(|()| true)
    }

    #[inline(never)]
    fn advance_components(&mut self, coupled: &mut Coupled, step: Step, level: Level) -> Attempt<()> {
        let Some(iteration) = &mut self.iteration else { return Attempt::Continue(()) };
        iteration.begin();
        for component in 0..coupled.plan.components.len() {
            if !iteration.converge(&mut *self.sweep, coupled, component, step, level)? {
                let instance = coupled.plan.components[component].members[0];
                coupled.step_with_newest(instance, step.t, step.h)?;
                coupled.refresh(&[instance])?;
            }
        }
        Attempt::Continue(())
    }

    /// Makes all but the last sweep over the start block, from the state in [`Level::Communication`], and rolls back to that
    /// state. The first steps of the run make the last sweep. Where loops are iterated, sweeps repeat until the values stop
    /// changing.
    pub fn start_block(&mut self, coupled: &mut Coupled, block: Block) -> Attempt<()> {
        let steps = block.steps();
        if let Some(inputs) = &mut coupled.inputs {
            inputs.set_block(block);
        }
        let tolerances = self.iteration.as_ref().map(Iteration::tolerances);
        // Each link of a chain of direct feedthrough passes on the values of the previous sweep.
        let per_order = 1 + coupled.plan.longest_chain;
        let orders = if steps == 1 { 1 } else { steps - 1 };
        let sweeps = if tolerances.is_some() { self.iteration_limit() as usize + steps } else { 1 + orders * per_order };
        for _ in 1..sweeps {
            for number in 0..steps {
                self.block_step(coupled, number)?;
            }
            let change = coupled.inputs.as_mut().and_then(|inputs| inputs.block()).map(|block| block.finish_sweep(tolerances));
            proceed(coupled.restore(Level::Communication))?;
            if change.is_some_and(|change| change <= 1.0) {
                break;
            }
        }
        Attempt::Continue(())
    }

    fn block_step(&mut self, coupled: &mut Coupled, number: usize) -> Attempt<()> {
        let Some((t, h)) = coupled.inputs.as_mut().and_then(|inputs| inputs.block()).map(|block| block.step(number)) else {
            return Attempt::Continue(());
        };
        coupled.begin_step(t, h);
        let pass = self.sweep.pass(coupled, &self.order, Step { t, h }, true);
        coupled.check_finite(pass)?;
        if let Some(block) = coupled.inputs.as_mut().and_then(|inputs| inputs.block()) {
            block.keep(number, &coupled.newest);
        }
        Attempt::Continue(())
    }
}

impl Persistent for Method {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.sweep.transfer(transfer)?;
        transfer.optional(self.iteration.as_mut())
    }
}
