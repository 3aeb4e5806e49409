//! Sweeps: in which order the instances step, and which values their inputs hold.

mod gauss_seidel;
mod jacobi;

pub(crate) use gauss_seidel::GaussSeidel;
pub(crate) use jacobi::Jacobi;

use super::{Attempt, Coupled};

/// Makes one pass over some instances.
pub(crate) trait Sweep: Send {
    /// Steps each of `members` once from `t` by `h`, in the order given. Afterwards `coupled.newest` holds their outputs at `t + h`.
    fn pass(&self, coupled: &mut Coupled, members: &[usize], t: f64, h: f64) -> Attempt<()>;

    /// Order of consistency with inputs of degree 0.
    fn order(&self) -> u32;
}
