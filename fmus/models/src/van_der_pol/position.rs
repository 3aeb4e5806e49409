//! The position of the van der Pol oscillator.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// The first equation of the van der Pol oscillator: the position `x`, whose velocity `v` \[1/s\] is an input.
///
/// ```text
/// dx/dt = v
/// ```
///
/// A step is exact for every input polynomial. Output derivatives: `x' = v` and `x'' = v'`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VanDerPolPosition {
    v: Input,
    x: f64,
}

impl Default for VanDerPolPosition {
    fn default() -> Self {
        Self { v: Input::new(0.0), x: 2.0 }
    }
}

impl Model for VanDerPolPosition {
    const NAME: &'static str = "van_der_pol_position";
    const DESCRIPTION: &'static str = "Position of the van der Pol oscillator: dx/dt = v";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 20.0, 0.01);
        v.input("v", |m| &mut m.v).unit("1/s").description("velocity");
        v.output("x", |m| &mut m.x)
            .unit("1")
            .description("position")
            .exact()
            .depends_on([])
            .derivatives([|m| m.v.value(0.0), |m| m.v.slope(0.0)]);
        let velocity = v.computed("der(x)", |m| m.v.value(0.0)).unit("1/s").description("time derivative of x");
        velocity.derivative_of("x").partials([("v", |_| 1.0)]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x += self.v.integral(step.h);
        if self.x.is_finite() { Ok(()) } else { Err(Refusal::error(format!("the position becomes {} in this step", self.x))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_is_the_integral_of_the_velocity() {
        let mut oscillator = VanDerPolPosition { v: Input::with_derivatives(1.0, [2.0, -3.0, 6.0]), x: 0.5 };
        oscillator.do_step(&Step { t: 0.0, h: 2.0, tolerance: None }).unwrap();
        assert_eq!(oscillator.x, 6.5);
    }

    #[test]
    fn an_input_that_is_not_a_number_is_refused() {
        let mut oscillator = VanDerPolPosition { v: Input::new(f64::NAN), x: 0.5 };
        assert!(oscillator.do_step(&Step { t: 0.0, h: 2.0, tolerance: None }).unwrap_err().to_string().contains("NaN"));
    }
}
