//! A signal converter.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// `y` is the multiple of a quantum nearest to `u`, without delay.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Converter {
    u: f64,
    quantum: f64,
}

impl Converter {
    /// Returns the number of the nearest multiple.
    #[must_use]
    pub fn level(u: f64, quantum: f64) -> f64 {
        (u / quantum).round()
    }
}

impl Model for Converter {
    const NAME: &'static str = "converter";
    const DESCRIPTION: &'static str = "A signal in steps of a size";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("quantum", |m| &mut m.quantum).description("size of the steps");
        v.input("u", |m| &mut m.u).description("a signal");
        v.computed_output("y", |m| m.quantum * Self::level(m.u, m.quantum)).depends_on(["u"]).description("in steps");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}
