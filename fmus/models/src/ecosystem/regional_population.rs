//! The population of a region.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::population::finite_population;

/// A population, which is an output, grows at a rate \[1/s\], which is an input: the sum of what everything connected to it contributes.
///
/// ```text
/// d population / dt = rate
/// ```
///
/// The population counts individuals and starts at its start value. A step is exact for every input polynomial; one after which less
/// than nobody is left is discarded with the assertion of the original.
///
/// Output derivatives: the rate and its slope.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RegionalPopulation {
    rate: Input,
    population: f64,
}

impl Default for RegionalPopulation {
    fn default() -> Self {
        Self { rate: Input::new(0.0), population: 10.0 }
    }
}

impl Model for RegionalPopulation {
    const NAME: &'static str = "regional_population";
    const DESCRIPTION: &'static str = "Population of animals in a specific region";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.input("rate", |m| &mut m.rate).unit("1/s").description("sum of the rates of all that changes the population");
        v.output("population", |m| &mut m.population)
            .unit("1")
            .min(0.0)
            .description("population")
            .exact()
            .depends_on([])
            .derivatives([|m| m.rate.value(0.0), |m| m.rate.slope(0.0)]);
        let growth = v.computed("der(population)", |m| m.rate.value(0.0)).unit("1/s").description("growth of the population");
        growth.derivative_of("population").partials([("rate", |_| 1.0)]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let change = self.rate.integral(step.h);
        if change.is_nan() {
            return Err(Refusal::error("the rate of a population must be a number, but it is NaN"));
        }
        let population = finite_population("population", self.population + change)?;
        if population < 0.0 {
            return Err(Refusal::discard(format!("Population must be greater than zero, but becomes {population} in this step")));
        }
        self.population = population;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(rate: Input, h: f64) -> Result<f64, Refusal> {
        let mut region = RegionalPopulation { rate, ..RegionalPopulation::default() };
        region.do_step(&Step { t: 0.0, h, tolerance: None })?;
        Ok(region.population)
    }

    #[test]
    fn the_population_grows_by_the_integral_of_the_rate() {
        assert_eq!(stepped(Input::with_derivatives(1.0, [2.0, -3.0, 6.0]), 2.0).unwrap(), 16.0);
    }

    #[test]
    fn nobody_may_be_left_but_not_less() {
        assert_eq!(stepped(Input::new(-5.0), 2.0).unwrap(), 0.0);
        let refusal = stepped(Input::new(-5.0), 2.1).unwrap_err();
        assert!(refusal.to_string().starts_with("Population must be greater than zero"));
        assert!(matches!(refusal.kind(), fmu_sdk::RefusalKind::Discard { .. }));
    }

    #[test]
    fn a_rate_that_is_not_a_number_is_an_error() {
        assert_eq!(stepped(Input::new(f64::NAN), 1.0).unwrap_err().kind(), fmu_sdk::RefusalKind::Error);
        assert!(stepped(Input::new(f64::INFINITY), 1.0).unwrap_err().to_string().contains("smaller step"));
    }
}
