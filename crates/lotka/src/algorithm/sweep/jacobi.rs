//! Jacobi: all at once, each with the values at the begin of the pass.

use super::Sweep;
use crate::algorithm::{Attempt, Coupled, Step};

/// Order `degree + 1`; the instances of a pass do not see each other's new values. Memoryless instances have no values at the begin to go
/// on from: they follow the others.
pub(crate) struct Jacobi;

impl Sweep for Jacobi {
    #[inline]
    fn pass(&mut self, coupled: &mut Coupled, members: &[usize], step: Step) -> Attempt<()> {
        coupled.hold(members.len());
        for &member in members {
            if !coupled.is_memoryless(member) {
                coupled.step_with_held(member, step.t, step.h)?;
            }
        }
        for &member in members {
            if coupled.is_memoryless(member) {
                coupled.step_with_newest(member, step.t, step.h)?;
            }
        }
        coupled.refresh(members)
    }

    fn is_simultaneous(&self) -> bool {
        true
    }

    fn order(&self, degree: u32) -> u32 {
        degree + 1
    }
}
