//! An FMU whose internal error depends on the tolerance it receives.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::prey::{Fields, Hunted, declare};

/// Prey integrated internally by the explicit midpoint rule, with steps of `20 tolerance^(1/2)` seconds, as an integrator with
/// error control would choose them. The default tolerance is 1e-4. If the internal steps are shorter than the communication
/// steps, prey and predators are off by some ten times the tolerance until t = 100 s, without any other error.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TolerantPrey {
    fields: Fields,
}

/// Default tolerance.
const TOLERANCE: f64 = 1e-4;
/// Smallest effective tolerance.
const SMALLEST: f64 = 1e-14;
/// Longest internal step for a tolerance of 1 \[s\].
const LONGEST: f64 = 20.0;

impl Model for TolerantPrey {
    const NAME: &'static str = "tolerant_prey";
    const DESCRIPTION: &'static str = "Prey, integrated inside with steps that follow the tolerance";

    fn declare(v: &mut Declaration<Self>) {
        declare(v);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let longest = LONGEST * step.tolerance.unwrap_or(TOLERANCE).max(SMALLEST).sqrt();
        self.fields.x = self.fields.in_parts(step.h, longest, midpoint);
        Ok(())
    }
}

/// Makes a step of the explicit midpoint rule.
fn midpoint(prey: &Fields, tau: f64, x: f64, h: f64) -> f64 {
    let middle = x + 0.5 * h * prey.rate(tau, x);
    x + h * prey.rate(tau + 0.5 * h, middle)
}

impl Hunted for TolerantPrey {
    fn fields(&self) -> &Fields {
        &self.fields
    }

    fn fields_mut(&mut self) -> &mut Fields {
        &mut self.fields
    }
}
