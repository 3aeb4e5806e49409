//! The internal steps of one instance that belongs to no system.

use lotka_step::algorithm::Change;

use super::{
    detect::{self, Walk},
    times::{self, Actor},
};

/// An instance that steps alone, with constant inputs, and can return to a point.
pub trait StepAlone {
    /// Its present time \[s\].
    fn now(&self) -> f64;
    /// Its maximum time \[s\].
    fn stop(&self) -> f64;
    /// Makes a step of this size \[s\]; `None` if it cannot be made.
    fn step(&mut self, h: f64) -> Option<()>;
    /// Its continuous outputs.
    fn outputs(&self) -> &[f64];
    /// Changes the inputs, or restores them.
    fn stir(&mut self);
    /// Marks the present point; `None` if that is not possible.
    fn mark(&mut self) -> Option<()>;
    /// Returns to the marked point; inputs stay as they are. `None` if that is not possible.
    fn go_back(&mut self) -> Option<()>;
}

/// At the start, internal steps are sought up to this share of the whole time.
const EARLY: f64 = 0.2;

/// Finds the size \[s\] of the internal steps of an instance; `None` if there is no sign of them, or they are not equidistant.
/// `begin` returns it at its start; usual steps have the size `h` \[s\].
pub fn find_own_steps<A: StepAlone>(mut begin: impl FnMut() -> Option<A>, h: f64) -> Option<f64> {
    let (low, high) = detect::grid(&mut Watched::new(begin()?), h, EARLY)?;
    times::times(&mut Watched::new(begin()?), 0.5 * (low + high)).map(|times| times.every)
}

/// An instance whose changes are followed.
struct Watched<A> {
    instance: A,
    before: Vec<f64>,
    marked: Vec<f64>,
}

impl<A: StepAlone> Watched<A> {
    fn new(instance: A) -> Self {
        let before = instance.outputs().to_vec();
        Self { instance, marked: before.clone(), before }
    }
}

impl<A: StepAlone> Walk for Watched<A> {
    fn now(&self) -> f64 {
        self.instance.now()
    }

    fn stop(&self) -> f64 {
        self.instance.stop()
    }

    fn step(&mut self, h: f64) -> Option<Change> {
        let t = self.now();
        if h <= 0.0 || t + h <= t || t + h > self.stop() {
            return None;
        }
        self.instance.step(h)?;
        let after = self.instance.outputs();
        let change = Change::of(self.before.iter().copied().zip(after.iter().copied()));
        self.before.copy_from_slice(after);
        Some(change)
    }

    fn stir(&mut self) {
        self.instance.stir();
    }

    fn values(&self) -> Vec<f64> {
        self.before.clone()
    }
}

impl<A: StepAlone> Actor for Watched<A> {
    fn mark(&mut self) -> Option<()> {
        self.marked.copy_from_slice(&self.before);
        self.instance.mark()
    }

    fn go_back(&mut self) -> Option<()> {
        self.before.copy_from_slice(&self.marked);
        self.instance.go_back()
    }
}
