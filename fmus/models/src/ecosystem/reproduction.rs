//! Reproduction.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// Contribution of reproduction to the growth rate \[1/s\] of a population: `rate = alpha population`, at every instant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reproduction {
    alpha: f64,
    population: Input,
}

impl Default for Reproduction {
    fn default() -> Self {
        Self { alpha: 0.1, population: Input::new(10.0) }
    }
}

impl Model for Reproduction {
    const NAME: &'static str = "reproduction";
    const DESCRIPTION: &'static str = "Model of reproduction: rate = alpha population";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.parameter("alpha", |m| &mut m.alpha).unit("1/s").description("birth rate");
        v.input("population", |m| &mut m.population).unit("1").description("population that reproduces");
        let rate = v.computed_output("rate", |m| m.alpha * m.population.value(0.0));
        rate.unit("1/s")
            .description("growth of the population")
            .partials([("alpha", |m| m.population.value(0.0)), ("population", |m| m.alpha)]);
    }

    /// The model has no state: the output follows the input at the end of the step.
    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}
