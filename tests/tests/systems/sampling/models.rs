//! Models that are sampled, and what they are coupled to.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// Adds up its input: `y += gain (1 - u)` in each step, whatever its size. It accepts one step size, if it has one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Adder {
    u: f64,
    gain: f64,
    y: f64,
    n: i32,
    /// The only step size that it accepts \[s\]; 0: any.
    size: f64,
}

impl Default for Adder {
    fn default() -> Self {
        Self { u: 0.0, gain: 0.3, y: 0.0, n: 0, size: 0.0 }
    }
}

impl Model for Adder {
    const NAME: &'static str = "adder";
    const DESCRIPTION: &'static str = "Adds up its input";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.parameter("gain", |m| &mut m.gain);
        v.parameter("size", |m| &mut m.size);
        v.output("y", |m| &mut m.y).depends_on([]);
        v.output("n", |m| &mut m.n).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        if self.size != 0.0 && step.h != self.size {
            return Err(Refusal::discard("another step size"));
        }
        self.y += self.gain * (1.0 - self.u);
        self.n += 1;
        Ok(())
    }
}

/// `y = gain u`, at once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Gain {
    u: f64,
    gain: f64,
}

impl Default for Gain {
    fn default() -> Self {
        Self { u: 0.0, gain: 2.0 }
    }
}

impl Model for Gain {
    const NAME: &'static str = "gain";
    const DESCRIPTION: &'static str = "Multiplies its input";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.parameter("gain", |m| &mut m.gain);
        v.computed_output("y", |m| m.gain * m.u).depends_on(["u"]);
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

/// `x' = v`, exactly.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Position {
    v: Input,
    x: f64,
}

impl Model for Position {
    const NAME: &'static str = "position";
    const DESCRIPTION: &'static str = "Integrates a velocity";

    fn declare(v: &mut Declaration<Self>) {
        v.input("v", |m| &mut m.v);
        v.output("x", |m| &mut m.x).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x += self.v.integral(step.h);
        Ok(())
    }
}

/// `v' = force - x`, exactly.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Velocity {
    force: Input,
    x: Input,
    v: f64,
}

impl Model for Velocity {
    const NAME: &'static str = "velocity";
    const DESCRIPTION: &'static str = "Integrates a force";

    fn declare(v: &mut Declaration<Self>) {
        v.input("force", |m| &mut m.force);
        v.input("x", |m| &mut m.x);
        v.output("v", |m| &mut m.v).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.v += self.force.integral(step.h) - self.x.integral(step.h);
        Ok(())
    }
}

/// `x' = force - x`, exactly for a force that is held.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Plant {
    force: f64,
    x: f64,
}

impl Model for Plant {
    const NAME: &'static str = "plant";
    const DESCRIPTION: &'static str = "Follows a force";

    fn declare(v: &mut Declaration<Self>) {
        v.input("force", |m| &mut m.force);
        v.output("x", |m| &mut m.x).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x = self.force + (self.x - self.force) * (-step.h).exp();
        Ok(())
    }
}
