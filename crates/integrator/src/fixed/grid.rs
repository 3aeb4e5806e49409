//! Equal steps.

use crate::{Failure, Problem};

/// Most internal steps of one step.
pub(crate) const MAX_STEPS: u32 = 10_000_000;
/// The largest rounding error of a quotient of step sizes that is a whole number.
const SLACK: f64 = 1e-9;

/// A step divided into as few equal steps as the largest step allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Grid {
    pub n: u32,
    h: f64,
}

impl Grid {
    /// Divides `h` \[s\] into as few steps of at most `largest` \[s\] as possible.
    pub fn new(h: f64, largest: f64) -> Result<Self, Failure> {
        let n = (h / largest * (1.0 - SLACK)).ceil().max(1.0);
        if n > f64::from(MAX_STEPS) {
            return Err(Failure::TooManySteps { tau: 0.0, limit: MAX_STEPS });
        }
        Ok(Self { n: n as u32, h })
    }

    /// Divides the step of a problem as its settings demand.
    pub fn of(problem: &Problem) -> Result<Self, Failure> {
        Self::new(problem.h, problem.settings.internal_step)
    }

    /// Returns the size of a step \[s\].
    pub fn step(&self) -> f64 {
        self.h / f64::from(self.n)
    }

    /// Returns the start of step `i`, since the start of the whole step \[s\].
    pub fn tau(&self, i: u32) -> f64 {
        self.h * f64::from(i) / f64::from(self.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_equal_few_and_not_too_large() {
        for (h, largest, n) in [(0.1, 0.01, 10), (0.1, 0.2, 1), (0.1, 0.03, 4), (0.3, 0.1, 3), (1.0, 1.0, 1)] {
            let grid = Grid::new(h, largest).unwrap();
            assert_eq!(grid.n, n, "{h} {largest}");
            assert_eq!((grid.tau(0), grid.tau(n)), (0.0, h));
            assert!((grid.step() - h / f64::from(n)).abs() < 1e-16);
        }
    }

    #[test]
    fn a_step_of_too_many_is_refused() {
        assert!(matches!(Grid::new(1.0, 1e-9), Err(Failure::TooManySteps { tau: 0.0, limit: MAX_STEPS })));
    }
}
