//! One of three species.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::growth::{finite_population, mean_population};

/// A population `x` that interacts with two others, `u1` and `u2`, which are inputs:
///
/// ```text
/// dx/dt = x (own + b1 u1 + b2 u2)
/// ```
///
/// `own` \[1/s\] is the rate at which the species reproduces, or starves if it is negative. `b1` and `b2` \[1/s\] are the
/// contributions of one individual of another species: positive for prey, negative for predators. Populations count
/// individuals, and `x` starts at its start value. The equation is linear in `x`, so a step is exact for every input polynomial:
///
/// ```text
/// x(t + h) = x(t) exp(own h + b1 ∫ u1 dt + b2 ∫ u2 dt)
/// ```
///
/// The `Default` values describe the rabbits of a system of three species, hunted by foxes, `u1`, and wolves, `u2`.
///
/// Output derivatives: `x' = x g` and `x'' = x' g + x (b1 u1' + b2 u2')` with `g = own + b1 u1 + b2 u2`.
///
/// Source: M. Tiller, Modelica by Example, 2014, section on Lotka–Volterra systems built from components.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Species {
    own: f64,
    b1: f64,
    b2: f64,
    u1: Input,
    u2: Input,
    x: f64,
}

impl Default for Species {
    fn default() -> Self {
        Self { own: 0.1, b1: -0.02, b2: -0.02, u1: Input::new(2.0), u2: Input::new(4.0), x: 25.0 }
    }
}

impl Model for Species {
    const NAME: &'static str = "species";
    const DESCRIPTION: &'static str = "Population beside two others: dx/dt = x (own + b1 u1 + b2 u2)";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.parameter("own", |m| &mut m.own).unit("1/s").description("growth of the species when it is alone");
        v.parameter("b1", |m| &mut m.b1).unit("1/s").description("growth per individual of the first other species");
        v.parameter("b2", |m| &mut m.b2).unit("1/s").description("growth per individual of the second other species");
        v.input("u1", |m| &mut m.u1).unit("1").description("first other species");
        v.input("u2", |m| &mut m.u2).unit("1").description("second other species");
        v.output("x", |m| &mut m.x)
            .unit("1")
            .min(0.0)
            .description("population")
            .exact()
            .depends_on([])
            .derivatives([|m| m.rate(), |m| m.curvature()]);
        let growth = v.computed("der(x)", |m| m.rate()).unit("1/s").description("growth of the population");
        growth.derivative_of("x").partials([
            ("x", |m| m.relative()),
            ("u1", |m| m.b1 * m.x),
            ("u2", |m| m.b2 * m.x),
            ("own", |m| m.x),
            ("b1", |m| m.u1.value(0.0) * m.x),
            ("b2", |m| m.u2.value(0.0) * m.x),
        ]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let (u1, u2) = (mean_population("u1", &self.u1, step.h)?, mean_population("u2", &self.u2, step.h)?);
        self.x = finite_population("x", self.x * ((self.own + self.b1 * u1 + self.b2 * u2) * step.h).exp())?;
        Ok(())
    }
}

impl Species {
    /// Relative growth rate at the start of the step \[1/s\].
    fn relative(&self) -> f64 {
        self.own + self.b1 * self.u1.value(0.0) + self.b2 * self.u2.value(0.0)
    }

    /// dx/dt \[1/s\].
    fn rate(&self) -> f64 {
        self.x * self.relative()
    }

    /// d²x/dt² \[1/s²\].
    fn curvature(&self) -> f64 {
        self.rate() * self.relative() + self.x * (self.b1 * self.u1.slope(0.0) + self.b2 * self.u2.slope(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(mut species: Species, h: f64) -> Result<f64, Refusal> {
        species.do_step(&Step { t: 0.0, h, tolerance: None })?;
        Ok(species.x)
    }

    #[test]
    fn a_step_is_exact_for_input_polynomials() {
        let u1 = Input::with_derivatives(3.0, [0.4, 0.02, 0.006]);
        let u2 = Input::with_derivatives(1.0, [-0.1, 0.02, 0.0]);
        for h in [1e-3_f64, 0.5, 10.0] {
            let first: f64 = h * (3.0 + h * (0.2 + h * (0.01 / 3.0 + h * 0.00025)));
            let second = h * (1.0 + h * (-0.05 + h * 0.01 / 3.0));
            let exact = 25.0 * (0.1 * h - 0.02 * first + 0.07 * second).exp();
            let x = stepped(Species { b2: 0.07, u1, u2, ..Species::default() }, h).unwrap();
            assert!((x / exact - 1.0).abs() < 1e-14, "{h}");
        }
    }

    #[test]
    fn output_derivatives_are_those_of_the_solution() {
        let u1 = Input::with_derivatives(8.0, [-2.0, 0.0, 0.0]);
        let species = Species { u1, ..Species::default() };
        let h = 1e-3;
        let at = |h: f64| 25.0 * (0.02 * h - 0.02 * (8.0 * h - h * h)).exp();
        assert!((species.rate() - (at(h) - at(-h)) / (2.0 * h)).abs() < 1e-6);
        assert!((species.curvature() - (at(h) - 50.0 + at(-h)) / (h * h)).abs() < 1e-6);
    }

    /// Rows of the reference: time, rabbits, foxes, wolves.
    fn reference() -> Vec<[f64; 4]> {
        let rows = include_str!("../../../tests/reference/three_species.csv").lines().skip(1);
        rows.map(|row| row.split(',').map(|x| x.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap()).collect()
    }

    /// Returns the growth of rabbits, foxes and wolves according to this model.
    fn growth(x: [f64; 3]) -> [f64; 3] {
        let coefficients = [(0.1, -0.02, -0.02), (-0.4, 0.02, -0.04), (-0.4, 0.01, 0.08)];
        let others = [[1, 2], [0, 2], [0, 1]];
        std::array::from_fn(|i| {
            let ((own, b1, b2), [u1, u2]) = (coefficients[i], others[i].map(|other: usize| Input::new(x[other])));
            Species { own, b1, b2, u1, u2, x: x[i] }.rate()
        })
    }

    /// Makes one step of the classic Runge-Kutta method of order 4.
    fn runge_kutta(x: [f64; 3], h: f64) -> [f64; 3] {
        let along = |k: [f64; 3], h: f64| std::array::from_fn(|i| x[i] + h * k[i]);
        let k1 = growth(x);
        let k2 = growth(along(k1, 0.5 * h));
        let k3 = growth(along(k2, 0.5 * h));
        let k4 = growth(along(k3, h));
        std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
    }

    #[test]
    fn three_of_them_are_the_system_of_the_reference() {
        let mut x = [25.0, 2.0, 4.0];
        for row in reference() {
            for (got, exact) in x.iter().zip(&row[1..]) {
                assert!((got / exact - 1.0).abs() < 1e-8, "t = {}: {got} {exact}", row[0]);
            }
            x = (0..10).fold(x, |x, _| runge_kutta(x, 0.01));
        }
    }

    #[test]
    fn inputs_that_are_no_population_are_refused_by_name() {
        let second = Species { u2: Input::new(-1.0), ..Species::default() };
        assert!(stepped(second, 0.1).unwrap_err().to_string().contains("input u2 is a population"));
        let growing = Species { own: 10.0, ..Species::default() };
        assert!(stepped(growing, 1e3).unwrap_err().to_string().contains("population x becomes inf"));
    }
}
