//! Both equations of the predator–prey system, integrated together.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::growth::finite_population;

/// The coupled reference: prey `x` and predators `y` in one model.
///
/// ```text
/// dx/dt = x (a - b y)
/// dy/dt = y (d x - c)
/// ```
///
/// Rates `a`, `b`, `c`, `d` in 1/s; populations count individuals and start at their start values. Any step is integrated to rounding by
/// Taylor series of order 20, whose coefficients follow from the equations term by term:
///
/// ```text
/// (k + 1) X[k+1] = a X[k] - b Σ X[i] Y[k-i],   (k + 1) Y[k+1] = d Σ X[i] Y[k-i] - c Y[k]
/// ```
///
/// Steps inside are the radius of convergence over e², as the last coefficients show it: what is left out is near e⁻⁴⁰.
///
/// Sources: as for [`crate::Prey`]; À. Jorba, M. Zou, A Software Package for the Numerical Integration of ODEs by Means of
/// High-Order Taylor Methods, Experimental Mathematics 14 (2005), doi 10.1080/10586458.2005.10128904.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PredatorPrey {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    x: f64,
    y: f64,
}

/// Order of the series.
const ORDER: usize = 20;

/// Coefficients of both series, those of order 0 first.
type Series = [[f64; 2]; ORDER + 1];

impl Default for PredatorPrey {
    fn default() -> Self {
        Self { a: 0.1, b: 0.02, c: 0.4, d: 0.02, x: 10.0, y: 10.0 }
    }
}

impl Model for PredatorPrey {
    const NAME: &'static str = "predator_prey";
    const DESCRIPTION: &'static str = "Predator-prey system, both equations integrated together";

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
            .derivatives([|m| m.series()[1][0], |m| 2.0 * m.series()[2][0]]);
        v.output("y", |m| &mut m.y)
            .unit("1")
            .min(0.0)
            .description("predators")
            .exact()
            .depends_on([])
            .derivatives([|m| m.series()[1][1], |m| 2.0 * m.series()[2][1]]);
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
        let mut left = step.h;
        while left > 0.0 {
            let series = self.series();
            let h = left.min(inner_step(&series));
            let [x, y] = series.iter().rev().fold([0.0; 2], |sum, term| [sum[0] * h + term[0], sum[1] * h + term[1]]);
            (self.x, self.y) = (finite_population("x", x)?, finite_population("y", y)?);
            if left - h == left {
                return Err(Refusal::discard("the populations grow beyond all numbers within this step; use a smaller step"));
            }
            left -= h;
        }
        Ok(())
    }
}

impl PredatorPrey {
    /// Taylor coefficients of both populations at the present time.
    fn series(&self) -> Series {
        let mut series = [[0.0; 2]; ORDER + 1];
        series[0] = [self.x, self.y];
        for k in 0..ORDER {
            let [x, y] = series[k];
            let meetings: f64 = (0..=k).map(|i| series[i][0] * series[k - i][1]).sum();
            let next = (k + 1) as f64;
            series[k + 1] = [(self.a * x - self.b * meetings) / next, (self.d * meetings - self.c * y) / next];
        }
        series
    }
}

/// Largest step for which the terms of the series that are left out are lost in rounding.
fn inner_step(series: &Series) -> f64 {
    let size = |k: usize| series[k][0].abs().max(series[k][1].abs());
    let radius = |k: usize| (size(k) / size(0)).powf(-1.0 / k as f64);
    let radius = radius(ORDER - 1).min(radius(ORDER));
    if radius > 0.0 { radius * (-2.0_f64).exp() } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Populations after `n` steps of `h`.
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
