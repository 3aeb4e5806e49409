//! Jacobi: instances step independently, each with the values at the beginning of the pass.

use super::Sweep;
use crate::{
    algorithm::{Attempt, Coupled, Step},
    checkpoint::Persistent,
};

/// Order `degree + 1`; the instances of a pass do not read each other's new values. Memoryless instances have no values at the
/// beginning to start from. They step after the others, and outputs with direct feedthrough are refreshed at the end. Where a
/// loop is iterated, all of them use the known end values.
#[derive(Debug, Default)]
pub(crate) struct Jacobi {
    /// Room for the instances of a pass that are not memoryless.
    with_memory: Vec<usize>,
}

impl Jacobi {
    /// A pass in which inputs are not held.
    #[inline(never)]
    fn pass_with_signals(&mut self, coupled: &mut Coupled, instances: &[usize], step: Step) -> Attempt<()> {
        coupled.hold(instances.len());
        if coupled.knows_ends(instances) {
            coupled.step_together(instances, true, step.t, step.h)?;
            return instances.iter().try_for_each(|&instance| coupled.refresh_with_held(instance));
        }
        if !instances.iter().any(|&instance| coupled.is_memoryless(instance)) {
            coupled.step_together(instances, true, step.t, step.h)?;
            return coupled.refresh(instances);
        }
        self.with_memory.clear();
        self.with_memory.extend(instances.iter().filter(|&&instance| !coupled.is_memoryless(instance)));
        coupled.step_together(&self.with_memory, true, step.t, step.h)?;
        for &instance in instances {
            if coupled.is_memoryless(instance) {
                coupled.step_with_newest(instance, step.t, step.h)?;
            }
        }
        coupled.refresh(instances)
    }
}

impl Persistent for Jacobi {}

impl Sweep for Jacobi {
    #[inline]
    fn pass(&mut self, coupled: &mut Coupled, instances: &[usize], step: Step, _: bool) -> Attempt<()> {
        if coupled.holds_inputs() {
            return coupled.hold_and_step(instances, step.t, step.h);
        }
        self.pass_with_signals(coupled, instances, step)
    }

    fn is_simultaneous(&self) -> bool {
        true
    }

    fn holds_begin(&self) -> bool {
        true
    }

    fn order(&self, degree: u32) -> u32 {
        degree + 1
    }
}
