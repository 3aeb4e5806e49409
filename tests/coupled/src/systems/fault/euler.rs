//! An FMU that ignores the tolerance.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::prey::{Fields, Hunted, declare};

/// Prey integrated internally by the explicit Euler method with steps of a millisecond, regardless of the tolerance. Without
/// any other error, prey and predators are off by up to 3.6e-4 of their values until t = 100 s.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct EulerPrey {
    fields: Fields,
}

/// Longest internal step \[s\].
const LONGEST: f64 = 1e-3;

impl Model for EulerPrey {
    const NAME: &'static str = "euler_prey";
    const DESCRIPTION: &'static str = "Prey, integrated inside by the explicit Euler method";

    fn declare(v: &mut Declaration<Self>) {
        declare(v);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.fields.x = self.fields.in_parts(step.h, LONGEST, |prey, tau, x, h| x + h * prey.rate(tau, x));
        Ok(())
    }
}

impl Hunted for EulerPrey {
    fn fields(&self) -> &Fields {
        &self.fields
    }

    fn fields_mut(&mut self) -> &mut Fields {
        &mut self.fields
    }
}
