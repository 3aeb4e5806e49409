//! Jacobi: instances step independently, each with the values at the beginning of the pass.

use super::Sweep;
use crate::{
    algorithm::{Attempt, Coupled, Step},
    checkpoint::Persistent,
};

/// Order `degree + 1`; the instances of a pass do not read each other's new values. Memoryless instances have no values at the beginning to
/// start from. They step after the others, and outputs with direct feedthrough are refreshed at the end. Where a loop is iterated, all of
/// them use the known end values.
pub(crate) struct Jacobi;

impl Persistent for Jacobi {}

impl Sweep for Jacobi {
    #[inline]
    fn pass(&mut self, coupled: &mut Coupled, instances: &[usize], step: Step, _: bool) -> Attempt<()> {
        coupled.hold(instances.len());
        if coupled.holds_inputs() {
            return instances.iter().try_for_each(|&instance| coupled.step_with_held(instance, step.t, step.h));
        }
        if coupled.knows_ends(instances) {
            return instances.iter().try_for_each(|&instance| {
                coupled.step_with_held(instance, step.t, step.h)?;
                coupled.refresh_with_held(instance)
            });
        }
        for &instance in instances {
            if !coupled.is_memoryless(instance) {
                coupled.step_with_held(instance, step.t, step.h)?;
            }
        }
        for &instance in instances {
            if coupled.is_memoryless(instance) {
                coupled.step_with_newest(instance, step.t, step.h)?;
            }
        }
        coupled.refresh(instances)
    }

    fn is_simultaneous(&self) -> bool {
        true
    }

    fn order(&self, degree: u32) -> u32 {
        degree + 1
    }
}
