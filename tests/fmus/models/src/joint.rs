//! A joint between two bodies.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// `f = stiffness e^power`, where `e` is the part of `u - v` beyond the gap, on both sides of 0 or on the upper one only. Without
/// delay.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Joint {
    u: f64,
    v: f64,
    stiffness: f64,
    gap: f64,
    power: f64,
    one_sided: bool,
}

impl Joint {
    /// Returns the part of a difference beyond the gap.
    #[must_use]
    pub fn beyond(difference: f64, gap: f64) -> f64 {
        (difference.abs() - gap).max(0.0) * difference.signum()
    }
}

impl Model for Joint {
    const NAME: &'static str = "joint";
    const DESCRIPTION: &'static str = "A spring with a gap between two bodies";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("stiffness", |m| &mut m.stiffness).description("of the spring");
        v.parameter("gap", |m| &mut m.gap).description("in which no force acts");
        v.parameter("power", |m| &mut m.power).description("of the compression");
        v.parameter("one_sided", |m| &mut m.one_sided).description("it only pushes");
        v.input("u", |m| &mut m.u).description("one position");
        v.input("v", |m| &mut m.v).description("the other position");
        v.computed_output("f", |m| m.force()).depends_on(["u", "v"]).description("force");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Joint {
    fn force(&self) -> f64 {
        let beyond = Self::beyond(self.u - self.v, self.gap);
        if self.one_sided && beyond < 0.0 { 0.0 } else { self.stiffness * beyond.abs().powf(self.power) * beyond.signum() }
    }
}
