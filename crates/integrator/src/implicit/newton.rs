//! Convergence of simplified Newton iterations.

use crate::Settings;

/// Most iterations.
pub(super) const ITERATIONS: u32 = 7;
/// A method keeps its Jacobian matrix while iterations converge at this rate or faster.
const GOOD_RATE: f64 = 1e-2;

/// The convergence test of a simplified Newton iteration. With an approximate matrix, changes shrink by a rate `Θ`, so that the
/// error after a change `Δ` is about `η Δ` with `η = Θ / (1 - Θ)`. The iteration has converged if this is below a part of the
/// tolerance. It ends early if it would not converge within the allowed iterations. The first change of an iteration is judged
/// with the `η` of the iteration before.
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

/// The result of the test after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Converged,
    GoesOn,
    GivenUp,
}

impl Newton {
    /// Creates the test for changes in units of the tolerance.
    pub fn new(settings: &Settings) -> Self {
        let relative = settings.relative_tolerance;
        let tolerance = f64::min(0.03, relative.sqrt()).max(f64::min(0.03, 10.0 * f64::EPSILON / relative));
        Self { tolerance, eta: 1.0, n: 0, last: 0.0, rate: 0.0 }
    }

    /// Starts a new iteration.
    pub fn start(&mut self) {
        self.eta = self.eta.max(f64::EPSILON).powf(0.8);
        (self.n, self.rate) = (0, 0.0);
    }

    /// Tests for convergence with the norm of the last change.
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

    /// Returns whether the last iteration converged fast enough to keep the matrix.
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
