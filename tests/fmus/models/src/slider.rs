//! A mass with dry friction.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// Maximum number of reversals in one step.
const MOST: usize = 1000;

/// `x' = v`, `v' = u - drag v - friction sign(v)`. The mass sticks if its velocity is 0 and the input is within the friction.
/// Exact for held inputs.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Slider {
    u: f64,
    drag: f64,
    friction: f64,
    x: f64,
    v: f64,
}

impl Slider {
    /// Returns the direction of sliding: 1, -1, or 0 if the mass sticks.
    #[must_use]
    pub fn way(v: f64, u: f64, friction: f64) -> i32 {
        let drive = if v == 0.0 { if u.abs() <= friction { 0.0 } else { u } } else { v };
        if drive > 0.0 {
            1
        } else if drive < 0.0 {
            -1
        } else {
            0
        }
    }
}

impl Model for Slider {
    const NAME: &'static str = "slider";
    const DESCRIPTION: &'static str = "A mass with dry friction";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("drag", |m| &mut m.drag).description("force per velocity");
        v.parameter("friction", |m| &mut m.friction).description("dry friction");
        v.parameter("x0", |m| &mut m.x).description("position at the start");
        v.parameter("v0", |m| &mut m.v).description("velocity at the start");
        v.input("u", |m| &mut m.u).description("force");
        v.computed_output("x", |m| m.x).depends_on([]).description("position");
        v.computed_output("v", |m| m.v).depends_on([]).description("velocity");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let mut left = step.h;
        for _ in 0..MOST {
            let way = Self::way(self.v, self.u, self.friction);
            if way == 0 || left <= 0.0 {
                break;
            }
            // v approaches `end`, and crosses 0 if `end` has the opposite sign.
            let end = (self.u - self.friction * f64::from(way)) / self.drag;
            let turn = if self.v * end < 0.0 { ((end - self.v) / end).ln() / self.drag } else { f64::INFINITY };
            let h = turn.min(left);
            let decay = (-self.drag * h).exp();
            self.x += end * h + (self.v - end) * (1.0 - decay) / self.drag;
            self.v = if turn <= left { 0.0 } else { end + (self.v - end) * decay };
            left -= h;
        }
        Ok(())
    }
}
