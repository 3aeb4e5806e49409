//! What goes into the next pass of an iteration.

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

/// Chooses what goes into the next pass.
pub(crate) trait Correction: Persistent + Send {
    /// A step begins.
    fn begin(&mut self);
    /// Replaces `x` by what to try next. The instances may be left anywhere; the newest values stay.
    fn next(&mut self, coupled: &mut Coupled, pass: Pass<'_>, values: Values<'_>) -> Attempt<()>;
    /// The iteration of this step converged.
    fn converged(&mut self);
    /// Whether the correction has exact derivatives for which no instance steps.
    fn costs_no_step(&self, _: &Coupled) -> bool {
        false
    }
}

/// Accelerations look at values alone.
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
