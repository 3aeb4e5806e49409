//! Gauss–Seidel: instances step one after the other, each with the newest known values.

use super::Sweep;
use crate::{
    algorithm::{Attempt, Coupled, Step},
    checkpoint::Persistent,
};

/// Order `degree + 1`. On predator–prey with constant inputs it is the symplectic Euler method in log coordinates.
pub(crate) struct GaussSeidel;

impl Persistent for GaussSeidel {}

impl Sweep for GaussSeidel {
    #[inline]
    fn pass(&mut self, coupled: &mut Coupled, instances: &[usize], step: Step, _: bool) -> Attempt<()> {
        if coupled.holds_inputs() {
            return coupled.step_in_order(instances, step.t, step.h);
        }
        pass_with_signals(coupled, instances, step)
    }

    fn steps_in_order(&self) -> bool {
        true
    }

    fn order(&self, degree: u32) -> u32 {
        degree + 1
    }
}

/// A pass in which inputs are not held.
#[inline(never)]
fn pass_with_signals(coupled: &mut Coupled, instances: &[usize], step: Step) -> Attempt<()> {
    if coupled.knows_ends(instances) {
        return instances.iter().try_for_each(|&instance| {
            coupled.step_with_newest(instance, step.t, step.h)?;
            coupled.refresh(&[instance])
        });
    }
    coupled.step_in_order(instances, step.t, step.h)?;
    coupled.refresh(instances)
}
