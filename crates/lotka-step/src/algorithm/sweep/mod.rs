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
/// A pass steps each instance with [`Coupled::step_with_newest`] or, after [`Coupled::hold`], with [`Coupled::step_with_held`].
/// It refreshes outputs with direct feedthrough with [`Coupled::refresh`]. State that a scheme carries from step to step must be
/// listed in its [`Persistent::transfer`].
pub trait Sweep: Persistent + Send {
    /// Steps the `instances` from `t` to `t + h`; an index counts instances in the order of the system description. Afterwards,
    /// `coupled.newest` holds their outputs at `t + h`. If no outputs are due (`due` is false), an instance may lag behind until
    /// the next pass.
    ///
    /// May be called several times for the same `t`: by an iteration, after a step rejection, or for a start block. Before each
    /// repetition, the instances are rolled back, but the scheme is not.
    fn pass(&mut self, coupled: &mut Coupled, instances: &[usize], step: Step, due: bool) -> Attempt<()>;

    /// Returns whether every instance reads the new values of all instances that step before it in the same pass, and so reacts
    /// to an event at once.
    fn steps_in_order(&self) -> bool {
        false
    }

    /// Returns whether no instance reads the new values of another instance in the same pass.
    fn is_simultaneous(&self) -> bool {
        false
    }

    /// Returns whether a pass calls [`Coupled::hold`] once, before its first step, if inputs are held.
    fn holds_begin(&self) -> bool {
        false
    }

    /// Whether it is a symmetric splitting like the built-in `symmetric`. Return `false` unless all of this holds:
    ///
    /// - Where outputs are not due, the first instance may lag by half a step; every other one but the last makes two half steps.
    /// - Inputs are held, and nothing is iterated: Lotka refuses other settings.
    /// - The error has even powers of the step size only. Direct feedthrough of an output costs the scheme these, and its order.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// Whether an instance lags now, after a step at whose end outputs were not due.
    fn is_behind(&self) -> bool {
        false
    }

    /// Returns the order of consistency of one step with inputs of this degree, if outputs are fresh and FMUs receive the whole
    /// polynomial. Several steps together may have a higher order.
    fn order(&self, degree: u32) -> u32;
}
