//! The common part of the prey models in this folder: the variables of [`models::Prey`], under the same names.

use fmu_sdk::{Declaration, Input};
use serde::{Deserialize, Serialize};

/// dx/dt = x (a - b y).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Fields {
    a: f64,
    b: f64,
    y: Input,
    pub(super) x: f64,
}

impl Default for Fields {
    fn default() -> Self {
        Self { a: 0.1, b: 0.02, y: Input::new(10.0), x: 10.0 }
    }
}

impl Fields {
    /// Returns dx/dt \[1/s\] for `x`, `tau` seconds after the start of the step.
    pub(super) fn rate(&self, tau: f64, x: f64) -> f64 {
        x * (self.a - self.b * self.y.value(tau))
    }

    /// Returns the growth factor of the population over an exact step of `h` seconds.
    pub(super) fn growth(&self, h: f64) -> f64 {
        (self.a * h - self.b * self.y.integral(h)).exp()
    }

    /// Makes a step of `h` seconds in the smallest number of equal parts not longer than `longest`. `part` makes one part from
    /// the time since the start of the step, the population and the length.
    pub(super) fn in_parts(&self, h: f64, longest: f64, part: impl Fn(&Self, f64, f64, f64) -> f64) -> f64 {
        // Avoid an extra part if the step is a multiple of `longest` up to rounding.
        let n = (h / longest * (1.0 - 1e-9)).ceil().max(1.0) as u64;
        let length = h / n as f64;
        let (mut x, mut i) = (self.x, 0);
        // Millions of parts: without optimization a loop over a range takes twice as long.
        while i < n {
            x = part(self, i as f64 * length, x, length);
            i += 1;
        }
        x
    }
}

/// A model of such prey.
pub(super) trait Hunted: 'static {
    fn fields(&self) -> &Fields;
    fn fields_mut(&mut self) -> &mut Fields;
}

/// Declares the variables.
pub(super) fn declare<M: Hunted>(v: &mut Declaration<M>) {
    v.experiment(0.0, 100.0, 0.1);
    v.parameter("a", |m: &mut M| &mut m.fields_mut().a).unit("1/s").description("reproduction rate of prey");
    v.parameter("b", |m: &mut M| &mut m.fields_mut().b).unit("1/s").description("predation rate per predator");
    v.input("y", |m: &mut M| &mut m.fields_mut().y).unit("1").description("predators");
    v.output("x", |m: &mut M| &mut m.fields_mut().x)
        .unit("1")
        .min(0.0)
        .description("prey")
        .exact()
        .depends_on([])
        .derivatives([|m| m.fields().rate(0.0, m.fields().x)]);
}
