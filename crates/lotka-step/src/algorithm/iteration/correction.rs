//! The choice of values for the next pass of an iteration.

use crate::{
    algorithm::{Attempt, Coupled, Level, Step, Sweep, acceleration::Acceleration},
    checkpoint::Persistent,
};

/// The pass that was made.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    pub(crate) sweep: &'a dyn Sweep,
    pub(crate) step: Step,
    /// Where the state at its beginning is saved.
    pub(crate) level: Level,
}

/// The values of a loop: `x` went into the pass and `g` came out; `weights` make their units comparable.
pub(crate) struct Values<'a> {
    pub(crate) x: &'a mut [f64],
    pub(crate) g: &'a [f64],
    pub(crate) weights: &'a [f64],
}

/// Chooses the values for the next pass.
pub(crate) trait Correction: Persistent + Send {
    /// Begins a step.
    fn begin(&mut self);
    /// Replaces `x` by the next values to try. May leave the instances in any state; the newest values stay.
    fn next(&mut self, coupled: &mut Coupled, pass: Pass<'_>, values: Values<'_>) -> Attempt<()>;
    /// Marks the iteration of this step as converged.
    fn converged(&mut self);
    /// Whether the correction has exact derivatives that need no step of an instance.
    fn costs_no_step(&self, _: &Coupled) -> bool {
        false
    }
}

/// Accelerations use the values alone.
impl<A: Acceleration> Correction for A {
    fn begin(&mut self) {
        Acceleration::begin(self);
    }

    fn next(&mut self, _: &mut Coupled, _: Pass<'_>, values: Values<'_>) -> Attempt<()> {
        Acceleration::next(self, values.x, values.g, values.weights);
        Attempt::Continue(())
    }

    fn converged(&mut self) {
        Acceleration::converged(self);
    }
}
