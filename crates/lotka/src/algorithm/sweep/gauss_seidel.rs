//! Gauss–Seidel: one after the other, each with the newest known values.

use super::Sweep;
use crate::algorithm::{Attempt, Coupled};

/// Order 1 with constant inputs. On predator–prey it is the symplectic Euler method in log coordinates.
pub(crate) struct GaussSeidel;

impl Sweep for GaussSeidel {
    #[inline]
    fn pass(&self, coupled: &mut Coupled, members: &[usize], t: f64, h: f64) -> Attempt<()> {
        for &member in members {
            coupled.step_with_newest(member, t, h)?;
        }
        Attempt::Continue(())
    }

    fn order(&self) -> u32 {
        1
    }
}
