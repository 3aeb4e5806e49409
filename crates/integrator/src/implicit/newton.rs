//! When a simplified Newton iteration ends.

use crate::Settings;

/// Most iterations.
pub(super) const ITERATIONS: u32 = 7;
/// A Jacobian matrix serves while iterations converge by this rate.
const GOOD_RATE: f64 = 1e-2;

/// The changes of an iteration with a matrix that is not quite the right one shrink by a rate `Θ`, so that after a change `Δ` the error left
/// is about `η Δ`, `η = Θ / (1 - Θ)`. It has converged when that is below a part of the tolerance, and is given up where it would not be
/// after all iterations. The `η` of the last iteration judges the first change of the next one.
///
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.8, doi 10.1007/978-3-642-05221-7.
pub(super) struct Newton {
    tolerance: f64,
    eta: f64,
    /// Iterations made.
    pub n: u32,
    last: f64,
    rate: f64,
}

/// What a change says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Converged,
    GoesOn,
    GivenUp,
}

impl Newton {
    /// For changes measured in units of the tolerance.
    pub fn new(settings: &Settings) -> Self {
        let relative = settings.relative_tolerance;
        let tolerance = f64::min(0.03, relative.sqrt()).max(f64::min(0.03, 10.0 * f64::EPSILON / relative));
        Self { tolerance, eta: 1.0, n: 0, last: 0.0, rate: 0.0 }
    }

    /// Starts another iteration.
    pub fn start(&mut self) {
        self.eta = self.eta.max(f64::EPSILON).powf(0.8);
        (self.n, self.rate) = (0, 0.0);
    }

    /// Judges an iteration by the norm of its change.
    pub fn judge(&mut self, change: f64) -> Progress {
        self.n += 1;
        if !change.is_finite() {
            return Progress::GivenUp;
        }
        if self.n > 1 {
            self.rate = change / self.last;
            let left = self.rate.powi((ITERATIONS + 1 - self.n) as i32) / (1.0 - self.rate) * change;
            if self.rate >= 1.0 || left > self.tolerance {
                return Progress::GivenUp;
            }
            self.eta = self.rate / (1.0 - self.rate);
        }
        self.last = change;
        match () {
            () if change == 0.0 || self.eta * change <= self.tolerance => Progress::Converged,
            () if self.n == ITERATIONS => Progress::GivenUp,
            () => Progress::GoesOn,
        }
    }

    /// Whether the matrix was good enough in the last iteration to be kept.
    pub fn was_fast(&self) -> bool {
        self.n <= 2 || self.rate <= GOOD_RATE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(changes: &[f64]) -> Vec<Progress> {
        let mut newton = Newton::new(&Settings::default());
        newton.start();
        changes.iter().map(|change| newton.judge(*change)).collect()
    }

    #[test]
    fn changes_that_shrink_converge() {
        use Progress::{Converged, GivenUp, GoesOn};
        assert_eq!(judged(&[0.0]), [Converged]);
        assert_eq!(judged(&[1.0, 0.1, 1e-2]), [GoesOn, GoesOn, GoesOn]);
        assert_eq!(judged(&[1.0, 1.0]), [GoesOn, GivenUp]);
        assert_eq!(judged(&[1.0, f64::NAN]), [GoesOn, GivenUp]);
        assert_eq!(judged(&[1.0, 0.7]), [GoesOn, GivenUp], "too slow for all iterations");
    }

    #[test]
    fn the_rate_of_the_last_iteration_judges_a_first_change() {
        let mut newton = Newton::new(&Settings::default());
        newton.start();
        assert_eq!([1.0, 1e-6].map(|change| newton.judge(change)), [Progress::GoesOn, Progress::Converged]);
        newton.start();
        assert_eq!(newton.judge(1e-2), Progress::Converged);
        newton.start();
        assert_eq!(newton.judge(1e4), Progress::GoesOn);
    }
}
