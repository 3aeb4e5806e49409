//! The population of a region.

use fmu_sdk::{Declaration, Enumeration, Experiment, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::growth::finite_population;

/// Growth per individual \[1/s\] above which a population is not in steady state.
const STEADY: f64 = 1e-6;

/// A population, which is an output. Its growth rate \[1/s\] is an input: the sum of the contributions of all connected
/// components.
///
/// ```text
/// d population / dt = rate
/// ```
///
/// The population counts individuals. The parameter `init` selects its initial value:
///
/// - `free`: its own start value;
/// - `fixed_population`: the parameter `initial_population`;
/// - `steady_state`: `initial_population` too, which the importer must choose such that the rate is zero. The model cannot do
///   this itself, because the rate depends on everything connected to it. The first step reports an error if the population
///   would grow or shrink by more than a millionth of itself per second.
///
/// A step is exact for every input polynomial. A step that ends with a negative population is discarded, with the assertion
/// of the original.
///
/// Output derivatives: the rate and its slope.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Population {
    init: Initialization,
    initial_population: f64,
    rate: Input,
    population: f64,
    has_stepped: bool,
}

/// Initial value of a population.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Initialization {
    Free,
    FixedPopulation,
    SteadyState,
}

impl Enumeration for Initialization {
    const TYPE: &'static str = "Initialization";
    const ITEMS: &'static [(&'static str, Self)] =
        &[("free", Self::Free), ("fixed_population", Self::FixedPopulation), ("steady_state", Self::SteadyState)];
}

impl Default for Population {
    fn default() -> Self {
        Self { init: Initialization::Free, initial_population: 10.0, rate: Input::new(0.0), population: 10.0, has_stepped: false }
    }
}

impl Model for Population {
    const NAME: &'static str = "population";
    const DESCRIPTION: &'static str = "Population of animals in a specific region";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 100.0, 0.1);
        v.parameter("init", |m| &mut m.init).description("where the population starts");
        v.parameter("initial_population", |m| &mut m.initial_population)
            .unit("1")
            .min(0.0)
            .description("population at the start, unless init is free");
        v.input("rate", |m| &mut m.rate).unit("1/s").description("sum of the rates of all that changes the population");
        v.output("population", |m| &mut m.population)
            .unit("1")
            .min(0.0)
            .description("population")
            .approx()
            .partials([("init", |_| 0.0), ("initial_population", |m| f64::from(u8::from(!m.is_free())))])
            .derivatives([|m| m.rate.value(0.0), |m| m.rate.slope(0.0)]);
        let growth = v.computed("der(population)", |m| m.rate.value(0.0)).unit("1/s").description("growth of the population");
        growth.derivative_of("population").partials([("rate", |_| 1.0)]);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        if !self.is_free() {
            self.population = self.initial_population;
        }
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let change = self.rate.integral(step.h);
        if change.is_nan() {
            return Err(Refusal::error("the rate of a population must be a number, but it is NaN"));
        }
        if !self.has_stepped {
            self.check_start()?;
            self.has_stepped = true;
        }
        let population = finite_population("population", self.population + change)?;
        if population < 0.0 {
            return Err(Refusal::discard(format!("Population must be greater than zero, but becomes {population} in this step")));
        }
        self.population = population;
        Ok(())
    }
}

impl Population {
    fn is_free(&self) -> bool {
        self.init == Initialization::Free
    }

    /// Checks that the rate is zero if a steady state was requested.
    fn check_start(&self) -> Result<(), Refusal> {
        let (rate, population) = (self.rate.value(0.0), self.population);
        if self.init != Initialization::SteadyState || rate.abs() <= STEADY * population {
            return Ok(());
        }
        Err(Refusal::error(format!(
            "init is steady_state, but a population of {population} grows by {rate} 1/s at the start; choose initial_population such that \
             rate vanishes, or set init to fixed_population"
        )))
    }
}

#[cfg(test)]
mod tests {
    use fmu_sdk::RefusalKind;

    use super::*;

    fn step(region: &mut Population, h: f64) -> Result<f64, Refusal> {
        region.do_step(&Step { t: 0.0, h, tolerance: None })?;
        Ok(region.population)
    }

    fn stepped(rate: Input, h: f64) -> Result<f64, Refusal> {
        step(&mut Population { rate, ..Population::default() }, h)
    }

    fn initialized(init: Initialization, rate: f64) -> Population {
        let mut region = Population { init, initial_population: 40.0, rate: Input::new(rate), ..Population::default() };
        region.initialize(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
        region
    }

    #[test]
    fn the_population_grows_by_the_integral_of_the_rate() {
        assert_eq!(stepped(Input::with_derivatives(1.0, [2.0, -3.0, 6.0]), 2.0).unwrap(), 16.0);
    }

    #[test]
    fn it_starts_where_init_says() {
        let starts = [Initialization::Free, Initialization::FixedPopulation, Initialization::SteadyState];
        assert_eq!(starts.map(|init| initialized(init, 0.0).population), [10.0, 40.0, 40.0]);
    }

    #[test]
    fn a_start_that_is_said_to_be_steady_must_be() {
        let refusal = step(&mut initialized(Initialization::SteadyState, 0.01), 1.0).unwrap_err();
        assert_eq!(refusal.kind(), RefusalKind::Error);
        assert!(refusal.to_string().contains("a population of 40 grows by 0.01 1/s at the start"), "{refusal}");
        assert_eq!(step(&mut initialized(Initialization::FixedPopulation, 0.01), 1.0).unwrap(), 40.01);
    }

    #[test]
    fn only_the_start_must_be_steady() {
        let mut region = initialized(Initialization::SteadyState, 1e-9);
        step(&mut region, 1.0).unwrap();
        region.rate = Input::new(1.0);
        assert!((step(&mut region, 1.0).unwrap() - 41.0).abs() < 1e-8);
    }

    #[test]
    fn nobody_may_be_left_but_not_less() {
        assert_eq!(stepped(Input::new(-5.0), 2.0).unwrap(), 0.0);
        let refusal = stepped(Input::new(-5.0), 2.1).unwrap_err();
        assert!(refusal.to_string().starts_with("Population must be greater than zero"));
        assert!(matches!(refusal.kind(), RefusalKind::Discard { .. }));
    }

    #[test]
    fn a_rate_that_is_not_a_number_is_an_error() {
        assert_eq!(stepped(Input::new(f64::NAN), 1.0).unwrap_err().kind(), RefusalKind::Error);
        assert!(stepped(Input::new(f64::INFINITY), 1.0).unwrap_err().to_string().contains("smaller step"));
    }
}
