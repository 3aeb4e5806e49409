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
    fn pass(&mut self, coupled: &mut Coupled, members: &[usize], step: Step, _: bool) -> Attempt<()> {
        if coupled.holds_inputs() {
            return members.iter().try_for_each(|&member| coupled.step_with_newest(member, step.t, step.h));
        }
        if coupled.knows_ends(members) {
            return members.iter().try_for_each(|&member| {
                coupled.step_with_newest(member, step.t, step.h)?;
                coupled.refresh(&[member])
            });
        }
        for &member in members {
            coupled.step_with_newest(member, step.t, step.h)?;
        }
        coupled.refresh(members)
    }

    fn steps_in_order(&self) -> bool {
        true
    }

    fn order(&self, degree: u32) -> u32 {
        degree + 1
    }
}
