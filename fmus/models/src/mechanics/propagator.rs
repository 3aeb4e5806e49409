//! The exact step of a damped oscillator that is driven by a polynomial.

use crate::polynomial::TERMS;

/// Position and velocity.
type State = [f64; 2];

/// The effect of a step of `h` seconds on position `x` \[m\] and velocity `v` \[m/s\] of
///
/// ```text
/// x' = v,   v' = a(t) - stiffness x - damping v
/// ```
///
/// with `stiffness` \[1/s²\] and `damping` \[1/s\] per mass, and an acceleration `a` \[m/s²\] that is a polynomial of degree 3 or
/// less. The step is linear in both:
///
/// ```text
/// Δ(x, v) = (e^Ah - 1) (x, v) + Σ c_j h φ_{j+1}(Ah) (0, 1),   a(t) = Σ c_j (t/h)^j / j!
/// ```
///
/// All coefficients come from Taylor series, so nothing cancels for small `h`, and there are no special cases: free, undamped,
/// critically damped or overdamped. For larger `h`, the series for `h / 2^s` is doubled `s` times. The propagator stores
/// `e^Ah - 1` instead of `e^Ah`, so that small steps lose no precision in a long run.
///
/// Sources: C. Van Loan, Computing Integrals Involving the Matrix Exponential, IEEE Transactions on Automatic Control 23 (1978),
/// doi 10.1109/TAC.1978.1101743; B. Skaflestad, W. M. Wright, The Scaling and Modified Squaring Method for Matrix Functions
/// Related to the Exponential, Applied Numerical Mathematics 59 (2009), doi 10.1016/j.apnum.2008.03.035.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Propagator {
    /// `h`, `stiffness`, `damping`.
    key: [f64; 3],
    /// Columns of `e^Ah - 1`: the effect of a unit position and of a unit velocity.
    change: [State; 2],
    /// `h φ_{j+1}(Ah) (0, 1)` for each `j`.
    response: [State; TERMS],
}

/// Largest product of `h` and the fastest rate for which the series is used without doubling.
const SMALL: f64 = 0.25;
/// Number of terms of the series; the truncated rest is below 1e-16 of the sum.
const LENGTH: u32 = 15;
/// `1 / n!`
const RECIPROCAL_FACTORIALS: [f64; TERMS] = [1.0, 1.0, 0.5, 1.0 / 6.0];

impl Propagator {
    fn new(key: [f64; 3]) -> Self {
        let [h, stiffness, damping] = key;
        let rate = h * stiffness.abs().sqrt().max(damping.abs());
        let doublings = if rate > SMALL { (rate / SMALL).log2().ceil() } else { 0.0 };
        let small = h * (-doublings).exp2();
        let matrix = |[x, v]: State| [small * v, -small * (stiffness * x + damping * v)];
        let change = [[1.0, 0.0], [0.0, 1.0]].map(|unit| series(matrix, matrix(unit), 1));
        let response = std::array::from_fn(|j| {
            let first = [0.0, small * RECIPROCAL_FACTORIALS[j] / (j as f64 + 1.0)];
            series(matrix, first, j as u32 + 1)
        });
        (0..doublings as u32).fold(Self { key, change, response }, |half, _| half.doubled())
    }

    /// Returns the propagator for twice the step; the key remains that of the final step.
    fn doubled(self) -> Self {
        let change = self.change.map(|column| {
            let again = self.changed(column);
            [2.0 * column[0] + again[0], 2.0 * column[1] + again[1]]
        });
        let response = std::array::from_fn(|j| {
            let old = self.response[j];
            let mut sum = self.changed(old);
            sum = [sum[0] + old[0], sum[1] + old[1]];
            for i in 0..=j {
                let weight = RECIPROCAL_FACTORIALS[j - i];
                sum = [sum[0] + weight * self.response[i][0], sum[1] + weight * self.response[i][1]];
            }
            let scale = (-(j as f64)).exp2();
            [scale * sum[0], scale * sum[1]]
        });
        Self { key: self.key, change, response }
    }

    /// Returns `(e^Ah - 1) state`.
    #[inline]
    fn changed(&self, [x, v]: State) -> State {
        let [from_x, from_v] = self.change;
        [from_x[0] * x + from_v[0] * v, from_x[1] * x + from_v[1] * v]
    }

    /// Returns the state after the step, driven by an acceleration with these derivatives in scaled time.
    #[inline]
    pub(super) fn step(&self, state: State, acceleration: [f64; TERMS]) -> State {
        let mut change = self.changed(state);
        for (c, [x, v]) in acceleration.into_iter().zip(self.response) {
            change = [change[0] + c * x, change[1] + c * v];
        }
        [state[0] + change[0], state[1] + change[1]]
    }
}

/// Sums `first` and the following terms: each is `matrix` times the previous term, divided by the next number after `n`.
fn series(matrix: impl Fn(State) -> State, first: State, n: u32) -> State {
    let (mut sum, mut term) = (first, first);
    for n in n + 1..=n + LENGTH {
        let next = matrix(term);
        term = [next[0] / f64::from(n), next[1] / f64::from(n)];
        sum = [sum[0] + term[0], sum[1] + term[1]];
    }
    sum
}

/// The last propagators used, because error control alternates between two step sizes. A cached propagator is bit for bit the
/// one that would be computed. The cache is therefore not part of the model state and is not serialized.
#[derive(Debug, Clone, Default)]
pub(super) struct Cache {
    propagators: [Propagator; 2],
    older: usize,
}

impl Cache {
    /// Returns the propagator for a step of `h` seconds.
    #[inline]
    pub(super) fn propagator(&mut self, h: f64, stiffness: f64, damping: f64) -> &Propagator {
        let key = [h, stiffness, damping];
        let at = match self.propagators.iter().position(|propagator| propagator.key == key) {
            Some(at) => at,
            None => self.replace(key),
        };
        &self.propagators[at]
    }

    #[cold]
    fn replace(&mut self, key: [f64; 3]) -> usize {
        let at = self.older;
        self.propagators[at] = Propagator::new(key);
        self.older = 1 - at;
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: State, exact: State, tolerance: f64) {
        for (got, exact) in got.into_iter().zip(exact) {
            assert!((got - exact).abs() <= tolerance * exact.abs(), "{got:e} is not {exact:e}");
        }
    }

    /// Checks a step without force, with tolerances relative to the rounding error of the initial state.
    fn decays(h: f64, stiffness: f64, damping: f64, start: State, exact: State) {
        let got = Propagator::new([h, stiffness, damping]).step(start, [0.0; TERMS]);
        for (got, exact) in got.into_iter().zip(exact) {
            assert!((got - exact).abs() <= 1e-12 * exact.abs() + 2e-15, "{got:e} is not {exact:e}");
        }
    }

    #[test]
    fn a_free_mass_integrates_the_polynomial() {
        // a = 6 + 2 t - t²/2 + t³/6 in seconds, h = 2.
        let got = Propagator::new([2.0, 0.0, 0.0]).step([1.0, -3.0], [6.0, 4.0, -4.0, 8.0]);
        let velocity = -3.0 + 12.0 + 4.0 - 8.0 / 6.0 + 16.0 / 24.0;
        let position = 1.0 - 6.0 + 12.0 + 8.0 / 3.0 - 16.0 / 24.0 + 32.0 / 120.0;
        near(got, [position, velocity], 1e-15);
    }

    #[test]
    fn every_damping_regime_is_that_of_the_closed_form() {
        let (x, v) = (0.7, -0.4);
        for h in [1e-6_f64, 1e-3, 0.1, 1.0, 20.0] {
            let undamped = |w: f64| [x * (w * h).cos() + v / w * (w * h).sin(), v * (w * h).cos() - w * x * (w * h).sin()];
            decays(h, 9.0, 0.0, [x, v], undamped(3.0));
            let critical = (-2.0 * h).exp();
            let exact = [(x + (v + 2.0 * x) * h) * critical, (v - 2.0 * (v + 2.0 * x) * h) * critical];
            decays(h, 4.0, 4.0, [x, v], exact);
            // Roots -1 and -100.
            let (slow, fast) = ((100.0 * x + v) / 99.0 * (-h).exp(), -(x + v) / 99.0 * (-100.0 * h).exp());
            decays(h, 100.0, 101.0, [x, v], [slow + fast, -slow - 100.0 * fast]);
        }
    }

    #[test]
    fn polynomials_are_followed_for_small_and_large_steps() {
        // x = t³ solves x'' = 6 t + 3 t² d + t³ k - d x' - k x.
        for h in [1e-5_f64, 1e-2, 0.5, 8.0] {
            for (k, d) in [(0.0, 0.0), (30.0, 0.7), (1e4, 1.0), (1.0, 300.0)] {
                let acceleration = [0.0, 6.0 * h, 6.0 * d * h * h, 6.0 * k * h * h * h];
                near(Propagator::new([h, k, d]).step([0.0; 2], acceleration), [h.powi(3), 3.0 * h * h], 3e-12);
            }
        }
    }

    #[test]
    fn two_halves_make_a_whole() {
        let forced = [0.3, -0.2, 0.4, 0.5];
        for h in [1e-4, 0.3, 5.0] {
            let (whole, half) = (Propagator::new([h, 37.0, 1.3]), Propagator::new([0.5 * h, 37.0, 1.3]));
            let [c0, c1, c2, c3] = forced;
            let first = [c0, c1 / 2.0, c2 / 4.0, c3 / 8.0];
            let second = [c0 + c1 / 2.0 + c2 / 8.0 + c3 / 48.0, c1 / 2.0 + c2 / 4.0 + c3 / 16.0, c2 / 4.0 + c3 / 8.0, c3 / 8.0];
            near(half.step(half.step([1.0, 2.0], first), second), whole.step([1.0, 2.0], forced), 1e-13);
        }
    }

    #[test]
    fn a_cached_propagator_is_the_computed_one_to_the_last_bit() {
        let mut cache = Cache::default();
        for h in [0.1, 0.05, 0.1, 0.05, 0.2, 0.1] {
            assert_eq!(*cache.propagator(h, 10.0, 0.2), Propagator::new([h, 10.0, 0.2]));
        }
    }
}
