//! All equations of the ecosystem of three species, integrated together.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::taylor::Populations;

/// The coupled reference in one model: rabbits `r`, foxes `f` that eat rabbits, and wolves `w` that eat both.
///
/// ```text
/// dr/dt = r (alpha - beta f - wolf_rabbit_beta w)
/// df/dt = f (delta r - gamma - wolf_fox_beta w)
/// dw/dt = w (wolf_rabbit_delta r + wolf_fox_delta f - wolf_gamma)
/// ```
///
/// `alpha` \[1/s\] is the rate at which rabbits reproduce; `gamma` and `wolf_gamma` \[1/s\] are the rates at which foxes and
/// wolves starve. A `beta` \[1/s\] is the rate at which one predator catches its prey, a `delta` \[1/s\] the rate at which
/// predators reproduce per prey. Populations count individuals and start at their start values. Taylor series of order 20
/// integrate every step to rounding accuracy.
///
/// Output derivatives: those of the equations, up to order 2.
///
/// Source: M. Tiller, Modelica by Example, 2014, section on Lotka–Volterra systems built from components.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ThreeSpecies {
    alpha: f64,
    gamma: f64,
    wolf_gamma: f64,
    beta: f64,
    delta: f64,
    wolf_rabbit_beta: f64,
    wolf_rabbit_delta: f64,
    wolf_fox_beta: f64,
    wolf_fox_delta: f64,
    rabbits: f64,
    foxes: f64,
    wolves: f64,
}

impl Default for ThreeSpecies {
    fn default() -> Self {
        Self {
            alpha: 0.1,
            gamma: 0.4,
            wolf_gamma: 0.4,
            beta: 0.02,
            delta: 0.02,
            wolf_rabbit_beta: 0.02,
            wolf_rabbit_delta: 0.01,
            wolf_fox_beta: 0.04,
            wolf_fox_delta: 0.08,
            rabbits: 25.0,
            foxes: 2.0,
            wolves: 4.0,
        }
    }
}

impl Model for ThreeSpecies {
    const NAME: &'static str = "three_species";
    const DESCRIPTION: &'static str = "Rabbits, foxes and wolves, all equations integrated together";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.parameter("alpha", |m| &mut m.alpha).unit("1/s").description("birth rate of rabbits");
        v.parameter("gamma", |m| &mut m.gamma).unit("1/s").description("starvation coefficient of foxes");
        v.parameter("wolf_gamma", |m| &mut m.wolf_gamma).unit("1/s").description("starvation coefficient of wolves");
        v.parameter("beta", |m| &mut m.beta).unit("1/s").description("rabbits consumed by foxes");
        v.parameter("delta", |m| &mut m.delta).unit("1/s").description("foxes fed by rabbits");
        v.parameter("wolf_rabbit_beta", |m| &mut m.wolf_rabbit_beta).unit("1/s").description("rabbits consumed by wolves");
        v.parameter("wolf_rabbit_delta", |m| &mut m.wolf_rabbit_delta).unit("1/s").description("wolves fed by rabbits");
        v.parameter("wolf_fox_beta", |m| &mut m.wolf_fox_beta).unit("1/s").description("foxes consumed by wolves");
        v.parameter("wolf_fox_delta", |m| &mut m.wolf_fox_delta).unit("1/s").description("wolves fed by foxes");
        v.output("rabbits", |m| &mut m.rabbits)
            .unit("1")
            .min(0.0)
            .description("rabbits")
            .exact()
            .depends_on([])
            .derivatives([|m| m.derivatives(0)[0], |m| m.derivatives(0)[1]]);
        v.output("foxes", |m| &mut m.foxes)
            .unit("1")
            .min(0.0)
            .description("foxes")
            .exact()
            .depends_on([])
            .derivatives([|m| m.derivatives(1)[0], |m| m.derivatives(1)[1]]);
        v.output("wolves", |m| &mut m.wolves)
            .unit("1")
            .min(0.0)
            .description("wolves")
            .exact()
            .depends_on([])
            .derivatives([|m| m.derivatives(2)[0], |m| m.derivatives(2)[1]]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let after = self.populations().step(["rabbits", "foxes", "wolves"], self.state(), step.h)?;
        [self.rabbits, self.foxes, self.wolves] = after;
        Ok(())
    }
}

impl ThreeSpecies {
    fn state(&self) -> [f64; 3] {
        [self.rabbits, self.foxes, self.wolves]
    }

    fn populations(&self) -> Populations<3> {
        Populations {
            own: [self.alpha, -self.gamma, -self.wolf_gamma],
            effect: [
                [0.0, -self.beta, -self.wolf_rabbit_beta],
                [self.delta, 0.0, -self.wolf_fox_beta],
                [self.wolf_rabbit_delta, self.wolf_fox_delta, 0.0],
            ],
        }
    }

    /// Returns the first and second derivative of one species.
    fn derivatives(&self, species: usize) -> [f64; 2] {
        self.populations().derivatives(self.state(), species)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns rabbits, foxes and wolves after `n` steps of `h`.
    fn stepped(h: f64, n: u32) -> [f64; 3] {
        let mut model = ThreeSpecies::default();
        for i in 0..n {
            model.do_step(&Step { t: f64::from(i) * h, h, tolerance: None }).unwrap();
        }
        model.state()
    }

    #[test]
    fn any_step_size_gives_the_reference() {
        // The last row of tests/reference/three_species.csv.
        let reference = [12.548214243215125, 0.0010736420776865602, 0.10654474738206425];
        for (h, n) in [(100.0, 1), (12.5, 8), (0.5, 200), (0.1, 1000)] {
            for (value, exact) in stepped(h, n).into_iter().zip(reference) {
                assert!((value / exact - 1.0).abs() < 5e-13, "{h}: {value} {exact}");
            }
        }
    }

    #[test]
    fn they_stay_where_all_rates_vanish() {
        let rest = ThreeSpecies { rabbits: 80.0 / 3.0, foxes: 5.0 / 3.0, wolves: 10.0 / 3.0, ..ThreeSpecies::default() };
        assert!((0..3).all(|species| rest.derivatives(species)[0].abs() < 1e-15));
    }
}
