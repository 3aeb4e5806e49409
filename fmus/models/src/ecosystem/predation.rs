//! Predation.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// Contribution of predation to the growth rates \[1/s\] of a prey population and a predator population, at every instant:
///
/// ```text
/// prey_rate = -beta prey predator
/// predator_rate = delta prey predator
/// ```
///
/// `beta` \[1/s\] is the rate at which one predator catches prey, `delta` \[1/s\] the rate at which predators reproduce per prey.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Predation {
    beta: f64,
    delta: f64,
    prey: Input,
    predator: Input,
}

impl Default for Predation {
    fn default() -> Self {
        Self { beta: 0.02, delta: 0.02, prey: Input::new(10.0), predator: Input::new(10.0) }
    }
}

impl Model for Predation {
    const NAME: &'static str = "predation";
    const DESCRIPTION: &'static str = "Model of predation: one population feeds on another";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.parameter("beta", |m| &mut m.beta).unit("1/s").description("prey consumed");
        v.parameter("delta", |m| &mut m.delta).unit("1/s").description("predators fed");
        v.input("prey", |m| &mut m.prey).unit("1").description("population that is eaten");
        v.input("predator", |m| &mut m.predator).unit("1").description("population that eats");
        v.computed_output("prey_rate", |m| -m.beta * m.meetings())
            .unit("1/s")
            .description("growth of the prey, negative as it declines")
            .partials([
                ("beta", |m| -m.meetings()),
                ("prey", |m| -m.beta * m.predator.value(0.0)),
                ("predator", |m| -m.beta * m.prey.value(0.0)),
            ]);
        v.computed_output("predator_rate", |m| m.delta * m.meetings())
            .unit("1/s")
            .description("growth of the predators")
            .partials([
                ("delta", |m| m.meetings()),
                ("prey", |m| m.delta * m.predator.value(0.0)),
                ("predator", |m| m.delta * m.prey.value(0.0)),
            ]);
    }

    /// The model has no state: the outputs follow the inputs at the end of the step.
    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Predation {
    fn meetings(&self) -> f64 {
        self.prey.value(0.0) * self.predator.value(0.0)
    }
}
