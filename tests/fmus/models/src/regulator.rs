//! A controller whose output has limits.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// Maximum number of limits passed in one step.
const MOST: usize = 1000;

/// `y = clamp(w, -limit, limit)`, `w = gain e + s`, `s' = rate e + unwind (y - w)`. Exact for held inputs.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Regulator {
    e: f64,
    gain: f64,
    rate: f64,
    unwind: f64,
    limit: f64,
    s: f64,
}

impl Regulator {
    /// Returns the side of the limits: 1 above, -1 below, otherwise 0.
    #[must_use]
    pub fn side(wanted: f64, limit: f64) -> i32 {
        i32::from(wanted > limit) - i32::from(wanted < -limit)
    }

    fn wanted(&self) -> f64 {
        self.gain * self.e + self.s
    }
}

impl Model for Regulator {
    const NAME: &'static str = "regulator";
    const DESCRIPTION: &'static str = "A controller with limits and anti-windup";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("gain", |m| &mut m.gain).description("proportional gain");
        v.parameter("rate", |m| &mut m.rate).description("of integration");
        v.parameter("unwind", |m| &mut m.unwind).description("rate with which the state returns to the limits");
        v.parameter("limit", |m| &mut m.limit).description("of the output");
        v.parameter("s0", |m| &mut m.s).description("state at the start");
        v.input("e", |m| &mut m.e).description("control error");
        v.computed_output("y", |m| m.wanted().clamp(-m.limit, m.limit)).depends_on(["e"]).description("the output");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let (mut left, push) = (step.h, self.rate * self.e);
        let mut side = Self::side(self.wanted(), self.limit);
        for _ in 0..MOST {
            let (w, limit) = (self.wanted(), f64::from(side) * self.limit);
            // Within limits w changes evenly, beyond them it approaches `end`.
            let end = limit + push / self.unwind;
            let (until, next) = match side {
                0 if push > 0.0 => ((self.limit - w) / push, 1),
                0 if push < 0.0 => ((-self.limit - w) / push, -1),
                0 => (f64::INFINITY, 0),
                _ if push * limit < 0.0 => (((end - w) / (end - limit)).ln() / self.unwind, 0),
                _ => (f64::INFINITY, 0),
            };
            let h = until.clamp(0.0, left);
            self.s += if side == 0 { push * h } else { (w - end) * (-self.unwind * h).exp_m1() };
            left -= h;
            if left <= 0.0 {
                break;
            }
            side = next;
        }
        Ok(())
    }
}
