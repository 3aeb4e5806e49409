//! Jacobi: all at once, each with the values at the begin of the pass.

use super::Sweep;
use crate::algorithm::{Coupled, StepResult, Verdict};

/// Order 1 with constant inputs; the instances of a pass do not see each other's new values.
pub(crate) struct Jacobi;

impl Sweep for Jacobi {
    #[inline]
    fn pass(&self, coupled: &mut Coupled, members: &[usize], t: f64, h: f64) -> StepResult {
        if members.len() == coupled.members.len() {
            // Every value is written anew, so nothing need be copied.
            std::mem::swap(&mut coupled.held, &mut coupled.newest);
        } else {
            coupled.held.copy_from(&coupled.newest);
        }
        for &member in members {
            let verdict = coupled.step_with_held(member, t, h)?;
            if matches!(verdict, Verdict::Refused(_)) {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Done)
    }

    fn order(&self) -> u32 {
        1
    }
}
