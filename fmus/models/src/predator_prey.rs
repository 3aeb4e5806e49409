//! Both equations of the predator–prey system, integrated together.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::taylor::Populations;

/// The coupled reference: prey `x` and predators `y` in one model.
///
/// ```text
/// dx/dt = x (a - b y)
/// dy/dt = y (d x - c)
/// ```
///
/// The rates `a`, `b`, `c`, `d` are in 1/s. Populations count individuals and start at their start values. Taylor series of
/// order 20 integrate every step to rounding accuracy.
///
/// Output derivatives: those of the equations, up to order 2.
///
/// Sources: as for [`crate::Prey`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PredatorPrey {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    x: f64,
    y: f64,
}

impl Default for PredatorPrey {
    fn default() -> Self {
        Self { a: 0.1, b: 0.02, c: 0.4, d: 0.02, x: 10.0, y: 10.0 }
    }
}

impl Model for PredatorPrey {
    const NAME: &'static str = "predator_prey";
    const DESCRIPTION: &'static str = "Predator-prey system, both equations integrated together";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.parameter("a", |m| &mut m.a).unit("1/s").description("reproduction rate of prey");
        v.parameter("b", |m| &mut m.b).unit("1/s").description("predation rate per predator");
        v.parameter("c", |m| &mut m.c).unit("1/s").description("starvation rate of predators");
        v.parameter("d", |m| &mut m.d).unit("1/s").description("reproduction rate of predators per prey");
        v.output("x", |m| &mut m.x)
            .unit("1")
            .min(0.0)
            .description("prey")
            .exact()
            .depends_on([])
            .derivatives([|m| m.derivatives(0)[0], |m| m.derivatives(0)[1]]);
        v.output("y", |m| &mut m.y)
            .unit("1")
            .min(0.0)
            .description("predators")
            .exact()
            .depends_on([])
            .derivatives([|m| m.derivatives(1)[0], |m| m.derivatives(1)[1]]);
        v.computed("der(x)", |m| m.x * (m.a - m.b * m.y))
            .unit("1/s")
            .description("growth of prey")
            .derivative_of("x")
            .partials([("x", |m| m.a - m.b * m.y), ("y", |m| -m.b * m.x), ("a", |m| m.x), ("b", |m| -m.x * m.y)]);
        v.computed("der(y)", |m| m.y * (m.d * m.x - m.c))
            .unit("1/s")
            .description("growth of predators")
            .derivative_of("y")
            .partials([("x", |m| m.d * m.y), ("y", |m| m.d * m.x - m.c), ("c", |m| -m.y), ("d", |m| m.x * m.y)]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        [self.x, self.y] = self.populations().step(["x", "y"], [self.x, self.y], step.h)?;
        Ok(())
    }
}

impl PredatorPrey {
    fn populations(&self) -> Populations<2> {
        Populations { own: [self.a, -self.c], effect: [[0.0, -self.b], [self.d, 0.0]] }
    }

    /// Returns the first and second derivative of one species.
    fn derivatives(&self, species: usize) -> [f64; 2] {
        self.populations().derivatives([self.x, self.y], species)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the populations after `n` steps of `h`.
    fn stepped(mut model: PredatorPrey, h: f64, n: u32) -> [f64; 2] {
        for i in 0..n {
            model.do_step(&Step { t: f64::from(i) * h, h, tolerance: None }).unwrap();
        }
        [model.x, model.y]
    }

    #[test]
    fn any_step_size_gives_the_reference() {
        // Integrated in 40-digit arithmetic from (10, 10) to t = 100.
        let reference = [25.681746294220527, 15.312623828511504];
        for (h, n) in [(100.0, 1), (12.5, 8), (0.5, 200), (0.1, 1000), (0.01, 10_000)] {
            for (value, exact) in stepped(PredatorPrey::default(), h, n).into_iter().zip(reference) {
                assert!((value / exact - 1.0).abs() < 2e-13, "{h}: {value} {exact}");
            }
        }
    }

    #[test]
    fn without_the_other_species_growth_is_exponential() {
        let alone = PredatorPrey { y: 0.0, ..PredatorPrey::default() };
        assert!((stepped(alone, 7.0, 1)[0] / (10.0 * 0.7_f64.exp()) - 1.0).abs() < 1e-14);
        let starving = PredatorPrey { x: 0.0, ..PredatorPrey::default() };
        assert!((stepped(starving, 7.0, 1)[1] / (10.0 * (-2.8_f64).exp()) - 1.0).abs() < 1e-14);
        assert_eq!(stepped(PredatorPrey { x: 0.0, y: 0.0, ..PredatorPrey::default() }, 1.0, 1), [0.0, 0.0]);
    }

    #[test]
    fn unbounded_growth_is_discarded() {
        let mut model = PredatorPrey { b: -1.0, ..PredatorPrey::default() };
        let refusal = model.do_step(&Step { t: 0.0, h: 1000.0, tolerance: None }).unwrap_err();
        assert!(refusal.to_string().contains("smaller step"));
    }
}
