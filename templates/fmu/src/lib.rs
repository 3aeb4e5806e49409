//! A first-order lag: replace its equation by yours.

use fmu_sdk::{Declaration, Experiment, Input, Integration, Model, Ode, Refusal, Step, Time};
use serde::{Deserialize, Serialize};

/// The equation; it knows no integrator.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Equation {
    tau: f64,
    u: Input,
}

impl Ode for Equation {
    fn derivatives(&self, time: Time, y: &[f64], dy: &mut [f64]) {
        dy[0] = (self.u.value(time.tau) - y[0]) / self.tau;
    }
}

/// A first-order lag with the time constant `tau` \[s\]:
///
/// ```text
/// tau dy/dt = u - y
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct {{project-name | upper_camel_case}} {
    equation: Equation,
    state: [f64; 1],
    integration: Integration,
}

impl Default for {{project-name | upper_camel_case}} {
    fn default() -> Self {
        let equation = Equation { tau: 1.0, u: Input::new(0.0) };
        Self { equation, state: [0.0], integration: Integration::new("rkf45", 0.1) }
    }
}

impl Model for {{project-name | upper_camel_case}} {
    const NAME: &'static str = "{{crate_name}}";
    const DESCRIPTION: &'static str = "A first-order lag: tau dy/dt = u - y";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 10.0, 0.1);
        v.parameter("tau", |m| &mut m.equation.tau).unit("s").min(1e-6).description("time constant");
        v.input("u", |m| &mut m.equation.u).unit("1").description("what the output follows");
        v.output("y", |m| &mut m.state[0]).unit("1").exact().depends_on([]).description("output");
        Integration::declare(v, |m| &mut m.integration);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.integration.start()
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.integration.step(&self.equation, step, &mut self.state)
    }
}

fmu_sdk::export!({{project-name | upper_camel_case}});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_the_input_is_followed_exponentially() {
        let mut model = {{project-name | upper_camel_case}}::default();
        model.equation.u = Input::new(1.0);
        model.do_step(&Step { t: 0.0, h: 2.0, tolerance: Some(1e-9) }).unwrap();
        assert!((model.state[0] - (1.0 - (-2.0_f64).exp())).abs() < 1e-8, "{:?}", model.state);
    }
}
