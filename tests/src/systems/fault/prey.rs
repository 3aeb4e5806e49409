//! What the prey of this folder share: the variables of [`models::Prey`], under the same names.

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
    /// dx/dt \[1/s\] for `x`, `tau` seconds after the start of the step.
    pub(super) fn rate(&self, tau: f64, x: f64) -> f64 {
        x * (self.a - self.b * self.y.value(tau))
    }

    /// What an exact step of `h` seconds multiplies the population by.
    pub(super) fn growth(&self, h: f64) -> f64 {
        (self.a * h - self.b * self.y.integral(h)).exp()
    }

    /// Makes a step of `h` seconds in the least number of equal parts that are no longer than `longest`. `part` makes one, from time
    /// since the start of the step, population and length.
    pub(super) fn in_parts(&self, h: f64, longest: f64, part: impl Fn(&Self, f64, f64, f64) -> f64) -> f64 {
        // A step that is a multiple of the longest part up to rounding is not cut once more.
        let n = (h / longest * (1.0 - 1e-9)).ceil().max(1.0) as u64;
        let length = h / n as f64;
        (0..n).fold(self.x, |x, i| part(self, i as f64 * length, x, length))
    }
}

/// A model that is such a prey.
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
