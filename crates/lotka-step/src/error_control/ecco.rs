//! The step sizes of libcosim's algorithm `ecco` (Sadjina, Pedersen 2020, "Energy conservation and coupling error reduction in
//! non-iterative co-simulations", Engineering with Computers 36, 1579-1587).

use super::{Controller, StepFactors};
use crate::checkpoint::{Persistent, Transfer, Transferred};

/// `h S e_n^(-(k_I + k_P)) e_(n-1)^(k_P)` with the safety factor S, whatever the order. As in libcosim, the first step changes
/// nothing, the error before the second one counts as 1, and a step with an error of 0 keeps its size, as does the next one.
/// Steps are never rejected.
#[derive(Debug)]
pub struct Ecco {
    factors: StepFactors,
    /// The last error; `None` before the first step.
    last: Option<f64>,
}

impl Ecco {
    /// Without history.
    #[must_use]
    pub fn new(factors: StepFactors) -> Self {
        Self { factors, last: None }
    }
}

impl Persistent for Ecco {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.last)
    }
}

impl Controller for Ecco {
    fn accepted(&mut self, _: f64, error: f64, _: u32) -> f64 {
        let Some(last) = self.last.replace(error) else {
            self.last = Some(1.0);
            return 1.0;
        };
        if error == 0.0 || last == 0.0 {
            return 1.0;
        }
        let StepFactors { safety, gains, .. } = self.factors;
        safety * error.powf(-(gains.integral + gains.proportional)) * last.powf(gains.proportional)
    }

    fn rejected(&mut self, error: f64, order: u32) -> f64 {
        self.accepted(0.0, error, order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_control::Gains;

    /// Factors by hand: `0.5 e^-0.5 last^0.25` for errors of 16, then 1, then 16 after 1.
    #[test]
    fn factors_are_those_of_the_formula() {
        let gains = Gains { proportional: 0.25, integral: 0.25 };
        let mut ecco = Ecco::new(StepFactors { safety: 0.5, smallest: 0.1, largest: 10.0, gains });
        let factors = [16.0, 16.0, 1.0, 16.0, 0.0, 16.0, 16.0].map(|error| ecco.accepted(0.1, error, 0));
        let expected = [1.0, 0.125, 1.0, 0.125, 1.0, 1.0, 0.25];
        for (factor, expected) in factors.into_iter().zip(expected) {
            assert!((factor - expected).abs() < 1e-15, "{factors:?}");
        }
    }
}
