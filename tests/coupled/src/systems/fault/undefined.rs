//! An FMU with an output that is NaN.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// A clock `time` \[s\] with an output `root` that is the square root of a negative number.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Undefined {
    time: f64,
}

impl Model for Undefined {
    const NAME: &'static str = "undefined";
    const DESCRIPTION: &'static str = "A clock with an output that is no number";

    fn declare(v: &mut Declaration<Self>) {
        v.output("time", |m| &mut m.time).exact().depends_on([]).unit("s").description("the time");
        v.computed_output("root", |m| (-1.0 - m.time).sqrt()).depends_on([]).description("the square root of -1 - time");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.time = step.t + step.h;
        Ok(())
    }
}
