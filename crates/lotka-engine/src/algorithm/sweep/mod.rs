//! Coupling schemes: the order in which the instances step, and the values that their inputs hold.

mod gauss_seidel;
mod jacobi;
mod symmetric;

pub(crate) use gauss_seidel::GaussSeidel;
pub(crate) use jacobi::Jacobi;
pub(crate) use symmetric::Symmetric;

use super::{Attempt, Coupled, Step};
use crate::checkpoint::Persistent;

/// A coupling scheme: makes one pass over some instances.
///
/// A pass steps each instance with [`Coupled::step_with_newest`] or, after [`Coupled::hold`], with [`Coupled::step_with_held`]. It refreshes
/// outputs with direct feedthrough with [`Coupled::refresh`]. State that a scheme carries from step to step must be listed in its
/// [`Persistent::transfer`].
pub trait Sweep: Persistent + Send {
    /// Takes each of `instances`, given by their indices in the system, from `t` to `t + h`. Afterwards `coupled.newest` holds their outputs
    /// there. If outputs are not due (`due` is false), an instance may be left behind, and the next pass takes it along.
    ///
    /// May be called several times for the same `t`: by an iteration, after a rejected step, for a start block. The instances are rolled back before, the
    /// scheme is not.
    fn pass(&mut self, coupled: &mut Coupled, instances: &[usize], step: Step, due: bool) -> Attempt<()>;

    /// Whether every instance reads the new values of all that step before it in the same pass, so that it reacts to an event at once.
    fn steps_in_order(&self) -> bool {
        false
    }

    /// Whether no instance reads the new values of another one in the same pass.
    fn is_simultaneous(&self) -> bool {
        false
    }

    /// Whether direct feedthrough of an output costs the scheme its order and its even powers of the error.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// Order of consistency of one step with inputs of this degree, fresh outputs and all of the polynomial delivered. Several steps together may have a
    /// higher one.
    fn order(&self, degree: u32) -> u32;
}
