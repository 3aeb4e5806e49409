//! Predators of the predator–prey system.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::growth::Growth;

/// Predators `y` that feed on prey `x`, which is an input:
///
/// ```text
/// dy/dt = y (d x - c)
/// ```
///
/// `c` \[1/s\] is the rate at which predators starve, `d` \[1/s\] the rate at which they reproduce per prey. Populations count
/// individuals, and `y` starts at its start value. The equation is linear in `y`, so a step is exact for every input polynomial:
///
/// ```text
/// y(t + h) = y(t) exp(d ∫ x dt - c h)
/// ```
///
/// Output derivatives: `y' = y (d x - c)` and `y'' = y' (d x - c) + d y x'`.
///
/// Sources: as for [`crate::Prey`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Predator {
    c: f64,
    d: f64,
    x: Input,
    y: f64,
}

impl Default for Predator {
    fn default() -> Self {
        Self { c: 0.4, d: 0.02, x: Input::new(10.0), y: 10.0 }
    }
}

impl Model for Predator {
    const NAME: &'static str = "predator";
    const DESCRIPTION: &'static str = "Predators of the predator-prey system: dy/dt = y (d x - c)";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.parameter("c", |m| &mut m.c).unit("1/s").description("starvation rate of predators");
        v.parameter("d", |m| &mut m.d).unit("1/s").description("reproduction rate of predators per prey");
        v.input("x", |m| &mut m.x).unit("1").description("prey");
        v.output("y", |m| &mut m.y)
            .unit("1")
            .min(0.0)
            .description("predators")
            .exact()
            .depends_on([])
            .derivatives([|m| m.growth().rate(m.y), |m| m.growth().curvature(m.y)]);
        let growth = v.computed("der(y)", |m| m.growth().rate(m.y)).unit("1/s").description("growth of predators");
        growth.derivative_of("y").partials([
            ("y", |m| m.growth().relative()),
            ("x", |m| m.d * m.y),
            ("c", |m| -m.y),
            ("d", |m| m.x.value(0.0) * m.y),
        ]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.y = self.growth().step("y", self.y, "x", step.h)?;
        Ok(())
    }
}

impl Predator {
    fn growth(&self) -> Growth<'_> {
        Growth { own: -self.c, other: self.d, u: &self.x }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(x: Input, h: f64) -> Result<f64, Refusal> {
        let mut predator = Predator { x, ..Predator::default() };
        predator.do_step(&Step { t: 0.0, h, tolerance: None })?;
        Ok(predator.y)
    }

    #[test]
    fn a_step_is_exact_for_input_polynomials() {
        for h in [1e-3, 0.5, 10.0] {
            let x = Input::with_derivatives(30.0, [0.4, 0.02, 0.006]);
            let integral: f64 = h * (30.0 + h * (0.2 + h * (0.01 / 3.0 + h * 0.00025)));
            let exact = 10.0 * (0.02 * integral - 0.4 * h).exp();
            assert!((stepped(x, h).unwrap() / exact - 1.0).abs() < 2e-15, "{h}");
        }
    }

    #[test]
    fn output_derivatives_are_those_of_the_solution() {
        let predator = Predator { x: Input::with_derivatives(8.0, [-2.0, 0.0, 0.0]), ..Predator::default() };
        let h = 1e-3;
        let at = |h: f64| predator.y * (0.02 * (8.0 * h - h * h) - 0.4 * h).exp();
        assert!((predator.growth().rate(predator.y) - (at(h) - at(-h)) / (2.0 * h)).abs() < 1e-6);
        assert!((predator.growth().curvature(predator.y) - (at(h) - 2.0 * at(0.0) + at(-h)) / (h * h)).abs() < 1e-6);
    }

    #[test]
    fn inputs_that_are_no_population_are_refused_with_a_sentence() {
        for x in [-1.0, f64::NAN, f64::NEG_INFINITY] {
            assert!(stepped(Input::new(x), 0.1).unwrap_err().to_string().contains("input x is a population"));
        }
    }
}
