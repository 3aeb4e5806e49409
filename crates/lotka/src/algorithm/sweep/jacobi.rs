//! Jacobi: all at once, each with the values at the begin of the pass.

use super::Sweep;
use crate::algorithm::{Attempt, Coupled};

/// Order 1 with constant inputs; the instances of a pass do not see each other's new values.
pub(crate) struct Jacobi;

impl Sweep for Jacobi {
    #[inline]
    fn pass(&self, coupled: &mut Coupled, members: &[usize], t: f64, h: f64) -> Attempt<()> {
        if members.len() == coupled.members.len() {
            // Every value is written anew, so nothing need be copied.
            std::mem::swap(&mut coupled.held, &mut coupled.newest);
        } else {
            coupled.held.copy_from(&coupled.newest);
        }
        for &member in members {
            coupled.step_with_held(member, t, h)?;
        }
        Attempt::Continue(())
    }

    fn order(&self) -> u32 {
        1
    }
}
