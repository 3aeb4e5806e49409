//! The step of one instance, by the shortest way that its inputs permit.

use lotka_instance::{CallResult, StepOutcome};

use super::Coupled;
use crate::{
    algorithm::{
        Attempt, Signals,
        call::{Call, Route, Span},
        gather::compute,
    },
    signal::Knowledge,
};

impl Coupled {
    /// Steps one instance from `t` by `h` with the newest known values as inputs.
    #[inline]
    pub fn step_with_newest(&mut self, index: usize, t: f64, h: f64) -> Attempt<()> {
        self.step_instance::<false>(index, self.call(t, h))
    }

    /// Steps one instance from `t` by `h` with the held values as inputs, after [`Coupled::hold`] in the same pass.
    #[inline]
    pub fn step_with_held(&mut self, index: usize, t: f64, h: f64) -> Attempt<()> {
        self.step_instance::<true>(index, self.call(t, h))
    }

    /// Steps instances one after the other, with the held values as inputs or with the newest ones.
    #[inline(always)]
    pub(crate) fn step_each<const HELD: bool>(&mut self, instances: &[usize], t: f64, h: f64) -> Attempt<()> {
        let call = self.call(t, h);
        instances.iter().try_for_each(|&instance| self.step_instance::<HELD>(instance, call))
    }

    #[inline(always)]
    fn step_instance<const HELD: bool>(&mut self, index: usize, call: Call) -> Attempt<()> {
        let instance = &mut self.instances[index];
        let Route::Direct(inputs) = instance.route else { return self.other_step(index, HELD, call) };
        let (inputs, outputs) = direct::<HELD>(&self.held, &mut self.newest, inputs, instance.outputs);
        match instance.call(inputs, outputs, call) {
            Ok(StepOutcome::Complete) => Attempt::Continue(()),
            result => self.go_on::<HELD>(index, result, call),
        }
    }

    /// Handles a call that did not reach the end of the step.
    #[cold]
    fn go_on<const HELD: bool>(&mut self, index: usize, result: CallResult<StepOutcome>, call: Call) -> Attempt<()> {
        let instance = &mut self.instances[index];
        let Route::Direct(inputs) = instance.route else { unreachable!("the call was made with the inputs of this route") };
        let (inputs, outputs) = direct::<HELD>(&self.held, &mut self.newest, inputs, instance.outputs);
        instance.go_on(index, result, inputs, outputs, call)
    }

    /// Steps an instance whose inputs are computed, or that exchanges more than Real values.
    #[inline(never)]
    fn other_step(&mut self, index: usize, held: bool, call: Call) -> Attempt<()> {
        let instance = &mut self.instances[index];
        if matches!(instance.route, Route::General) {
            return self.general_step(index, held, call);
        }
        let values = if held { (&self.held, Knowledge::Held) } else { (&self.newest, Knowledge::Newest) };
        let inputs = &mut self.buffers.gathered[..instance.n_inputs as usize];
        compute(&self.plan, self.inputs.as_deref(), index, values, inputs);
        if let Some(signals) = &mut self.inputs {
            signals.arrived(index);
        }
        instance.step(index, inputs, &mut self.newest.reals[instance.outputs.range()], call)
    }

    /// Steps an instance that exchanges more than Real values, or whose values are needed elsewhere.
    #[inline(never)]
    fn general_step(&mut self, index: usize, held: bool, call: Call) -> Attempt<()> {
        let n = self.prepare_step(index, held)?;
        let outputs = &mut self.newest.reals[self.plan.instances[index].outputs.clone()];
        self.instances[index].step(index, &self.buffers.gathered[..n], outputs, call)?;
        self.conclude_step(index, held, call)
    }
}

/// The inputs of an instance, passed without copying, and its outputs.
#[inline(always)]
fn direct<'a, const HELD: bool>(
    held: &'a Signals,
    newest: &'a mut Signals,
    inputs: Span,
    outputs: Span,
) -> (&'a [f64], &'a mut [f64]) {
    if HELD {
        return (&held.reals[inputs.range()], &mut newest.reals[outputs.range()]);
    }
    // Directly passed inputs never overlap the outputs of the instance.
    let (low, high) = newest.reals.split_at_mut(inputs.start.max(outputs.start) as usize);
    if inputs.start < outputs.start {
        (&low[inputs.range()], &mut high[..outputs.len as usize])
    } else {
        (&high[..inputs.len as usize], &mut low[outputs.range()])
    }
}
