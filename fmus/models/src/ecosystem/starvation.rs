//! Starvation.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// Contribution of starvation to the growth rate \[1/s\] of a population: `rate = -gamma population`, at every instant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Starvation {
    gamma: f64,
    population: Input,
}

impl Default for Starvation {
    fn default() -> Self {
        Self { gamma: 0.4, population: Input::new(10.0) }
    }
}

impl Model for Starvation {
    const NAME: &'static str = "starvation";
    const DESCRIPTION: &'static str = "Model of starvation: rate = -gamma population";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.parameter("gamma", |m| &mut m.gamma).unit("1/s").description("starvation coefficient");
        v.input("population", |m| &mut m.population).unit("1").description("population that starves");
        let rate = v.computed_output("rate", |m| -m.gamma * m.population.value(0.0));
        rate.unit("1/s")
            .description("growth of the population, negative as it declines")
            .partials([("gamma", |m| -m.population.value(0.0)), ("population", |m| -m.gamma)]);
    }

    /// The model has no state: the output follows the input at the end of the step.
    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}
