//! Prey of the predator–prey system.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::growth::Growth;

/// Prey `x` hunted by predators `y`, which are an input:
///
/// ```text
/// dx/dt = x (a - b y)
/// ```
///
/// `a` \[1/s\] is the rate at which the prey reproduces, `b` \[1/s\] the rate at which one predator catches prey. Populations
/// count individuals, and `x` starts at its start value. The equation is linear in `x`, so a step is exact for every input
/// polynomial:
///
/// ```text
/// x(t + h) = x(t) exp(a h - b ∫ y dt)
/// ```
///
/// Output derivatives: `x' = x (a - b y)` and `x'' = x' (a - b y) - b x y'`.
///
/// Sources: A. Nicolai, Co-Simulation-Test Case: Predator-Prey (Lotka-Volterra) System, TU Dresden, 2018; M. Tiller, Modelica by
/// Example, 2014.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Prey {
    a: f64,
    b: f64,
    y: Input,
    x: f64,
}

impl Default for Prey {
    fn default() -> Self {
        Self { a: 0.1, b: 0.02, y: Input::new(10.0), x: 10.0 }
    }
}

impl Model for Prey {
    const NAME: &'static str = "prey";
    const DESCRIPTION: &'static str = "Prey of the predator-prey system: dx/dt = x (a - b y)";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.parameter("a", |m| &mut m.a).unit("1/s").description("reproduction rate of prey");
        v.parameter("b", |m| &mut m.b).unit("1/s").description("predation rate per predator");
        v.input("y", |m| &mut m.y).unit("1").description("predators");
        v.output("x", |m| &mut m.x)
            .unit("1")
            .min(0.0)
            .description("prey")
            .exact()
            .depends_on([])
            .derivatives([|m| m.growth().rate(m.x), |m| m.growth().curvature(m.x)]);
        let growth = v.computed("der(x)", |m| m.growth().rate(m.x)).unit("1/s").description("growth of prey");
        growth.derivative_of("x").partials([
            ("x", |m| m.growth().relative()),
            ("y", |m| -m.b * m.x),
            ("a", |m| m.x),
            ("b", |m| -m.y.value(0.0) * m.x),
        ]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x = self.growth().step("x", self.x, "y", step.h)?;
        Ok(())
    }
}

impl Prey {
    fn growth(&self) -> Growth<'_> {
        Growth { own: self.a, other: -self.b, u: &self.y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(y: Input, h: f64) -> Result<f64, Refusal> {
        let mut prey = Prey { y, ..Prey::default() };
        prey.do_step(&Step { t: 0.0, h, tolerance: None })?;
        Ok(prey.x)
    }

    #[test]
    fn a_step_is_exact_for_input_polynomials() {
        for h in [1e-3, 0.5, 10.0] {
            let y = Input::with_derivatives(3.0, [0.4, 0.02, 0.006]);
            let integral: f64 = h * (3.0 + h * (0.2 + h * (0.01 / 3.0 + h * 0.00025)));
            let exact = 10.0 * (0.1 * h - 0.02 * integral).exp();
            assert!((stepped(y, h).unwrap() / exact - 1.0).abs() < 1e-15, "{h}");
        }
    }

    #[test]
    fn output_derivatives_are_those_of_the_solution() {
        let prey = Prey { y: Input::with_derivatives(8.0, [-2.0, 0.0, 0.0]), ..Prey::default() };
        let h = 1e-3;
        let at = |h: f64| prey.x * (0.1 * h - 0.02 * (8.0 * h - h * h)).exp();
        assert!((prey.growth().rate(prey.x) - (at(h) - at(-h)) / (2.0 * h)).abs() < 1e-7);
        assert!((prey.growth().curvature(prey.x) - (at(h) - 2.0 * at(0.0) + at(-h)) / (h * h)).abs() < 1e-7);
    }

    #[test]
    fn inputs_that_are_no_population_are_refused_with_a_sentence() {
        for (y, kind) in [(-1.0, "not negative"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
            assert!(stepped(Input::new(y), 0.1).unwrap_err().to_string().contains(kind));
        }
        assert_eq!(stepped(Input::new(0.0), 0.0).unwrap(), 10.0);
        assert!(stepped(Input::new(0.0), 1e9).unwrap_err().to_string().contains("smaller step"));
    }
}
