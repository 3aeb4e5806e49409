//! A servo with play.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::Joint;

/// `x' = rate e`, where `e` is the part of `u - x` beyond the gap. Exact for held inputs.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Servo {
    u: f64,
    rate: f64,
    gap: f64,
    x: f64,
}

impl Model for Servo {
    const NAME: &'static str = "servo";
    const DESCRIPTION: &'static str = "A servo with play";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("rate", |m| &mut m.rate).description("with which the position follows");
        v.parameter("gap", |m| &mut m.gap).description("in which it does not");
        v.parameter("x0", |m| &mut m.x).description("position at the start");
        v.input("u", |m| &mut m.u).description("requested position");
        v.computed_output("x", |m| m.x).depends_on([]).description("position");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x -= Joint::beyond(self.u - self.x, self.gap) * (-self.rate * step.h).exp_m1();
        Ok(())
    }
}
