//! The velocity of the van der Pol oscillator.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::polynomial::{TERMS, scaled_derivatives};

/// The second equation of the van der Pol oscillator: the velocity `v` \[1/s\], with the position `x` as input.
///
/// ```text
/// dv/dt = mu (1 - x²) v - x
/// ```
///
/// `mu` \[1/s\] damps the motion for |x| > 1 and excites it for |x| < 1. The time unit is the period of the undamped oscillator
/// over 2π. If `x` is a polynomial, the equation is linear in `v` with polynomial coefficients. Its solution has no closed
/// form, so the step sums its Taylor series, whose coefficients follow from the equation term by term. The step is split
/// until the truncation error is below rounding. Relative errors stay near 1e-15 for every input polynomial.
///
/// Output derivatives: `v'` and `v''` from the equation and its time derivative.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VanDerPolVelocity {
    mu: f64,
    x: Input,
    v: f64,
}

/// Maximum number of terms of the series.
const LENGTH: usize = 32;
/// Number of terms of the square of a polynomial.
const SQUARE: usize = 2 * TERMS - 1;
/// Smallest part of a step, as a fraction of the step.
const SMALLEST: f64 = 1e-9;
/// Coefficients of `u` in powers of scaled time: `c_j / j!`.
const RECIPROCAL_FACTORIALS: [f64; TERMS] = [1.0, 1.0, 0.5, 1.0 / 6.0];

impl Default for VanDerPolVelocity {
    fn default() -> Self {
        Self { mu: 1.0, x: Input::new(2.0), v: 0.0 }
    }
}

impl Model for VanDerPolVelocity {
    const NAME: &'static str = "van_der_pol_velocity";
    const DESCRIPTION: &'static str = "Velocity of the van der Pol oscillator: dv/dt = mu (1 - x^2) v - x";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 20.0, 0.01);
        v.parameter("mu", |m| &mut m.mu)
            .unit("1/s")
            .description("how much the motion is driven inside |x| = 1 and damped outside");
        v.input("x", |m| &mut m.x).unit("1").description("position");
        v.output("v", |m| &mut m.v)
            .unit("1/s")
            .description("velocity")
            .exact()
            .depends_on([])
            .derivatives([|m| m.acceleration(), |m| m.jerk()]);
        let acceleration = v.computed("der(v)", |m| m.acceleration()).unit("1/s2").description("time derivative of v");
        acceleration.derivative_of("v").partials([
            ("v", |m| m.growth()),
            ("x", |m| -2.0 * m.mu * m.x.value(0.0) * m.v - 1.0),
            ("mu", |m| (1.0 - m.x.value(0.0).powi(2)) * m.v),
        ]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let whole = scaled_derivatives(&self.x, step.h);
        let (mut from, mut length) = (0.0, 1.0_f64);
        while from < 1.0 {
            length = length.min(1.0 - from);
            match self.part(&part(&whole, from, length), step.h * length) {
                Some(v) => (self.v, from, length) = (v, from + length, 2.0 * length),
                None => length *= 0.5,
            }
            if length < SMALLEST {
                return Err(self.too_wild(whole[0]));
            }
        }
        if self.v.is_finite() { Ok(()) } else { Err(self.too_wild(whole[0])) }
    }
}

impl VanDerPolVelocity {
    /// Returns the relative growth rate of the velocity \[1/s\].
    fn growth(&self) -> f64 {
        self.mu * (1.0 - self.x.value(0.0).powi(2))
    }

    /// dv/dt \[1/s²\].
    fn acceleration(&self) -> f64 {
        self.growth() * self.v - self.x.value(0.0)
    }

    /// d²v/dt² \[1/s³\].
    fn jerk(&self) -> f64 {
        let (x, slope) = (self.x.value(0.0), self.x.slope(0.0));
        self.growth() * self.acceleration() - 2.0 * self.mu * x * slope * self.v - slope
    }

    /// Returns the velocity after `h` seconds, over which the position has the coefficients `x` in powers of time scaled by `h`.
    /// `None` if `h` is too long for the series.
    fn part(&self, x: &[f64; TERMS], h: f64) -> Option<f64> {
        let growth = growth(x, self.mu * h);
        if growth.iter().map(|g| g.abs()).sum::<f64>() > 1.0 {
            return None;
        }
        let mut terms = [0.0; LENGTH];
        terms[0] = self.v;
        let (mut sum, mut size) = (self.v, self.v.abs() + x.iter().map(|x| (h * x).abs()).sum::<f64>());
        let mut negligible = 0;
        for k in 0..LENGTH - 1 {
            let products: f64 = growth.iter().zip(terms[..=k].iter().rev()).map(|(g, v)| g * v).sum();
            let forcing = x.get(k).map_or(0.0, |x| h * x);
            let next = (products - forcing) / (k + 1) as f64;
            terms[k + 1] = next;
            sum += next;
            size = size.max(next.abs());
            negligible = if next.abs() <= 0.01 * f64::EPSILON * size { negligible + 1 } else { 0 };
            if negligible == SQUARE + 1 && k >= TERMS {
                return Some(sum);
            }
        }
        None
    }

    #[cold]
    fn too_wild(&self, x: f64) -> Refusal {
        if x.is_finite() && self.v.is_finite() {
            Refusal::discard(format!("the position {x} moves too far in this step to be followed; use a smaller step"))
        } else {
            Refusal::error(format!("position and velocity must be finite, but are {x} and {}", self.v))
        }
    }
}

/// Returns the polynomial with derivatives `whole` at 0 as coefficients in powers of `s` over `from + length s`.
fn part(whole: &[f64; TERMS], from: f64, length: f64) -> [f64; TERMS] {
    let mut scale = 1.0;
    std::array::from_fn(|i| {
        let mut power = 1.0;
        let mut derivative = 0.0;
        for j in i..TERMS {
            derivative += whole[j] * power * RECIPROCAL_FACTORIALS[j - i];
            power *= from;
        }
        let coefficient = derivative * scale * RECIPROCAL_FACTORIALS[i];
        scale *= length;
        coefficient
    })
}

/// Returns the coefficients of `rate (1 - x²)`.
fn growth(x: &[f64; TERMS], rate: f64) -> [f64; SQUARE] {
    let mut growth = [0.0; SQUARE];
    growth[0] = rate;
    for (i, a) in x.iter().enumerate() {
        for (j, b) in x.iter().enumerate() {
            growth[i + j] -= rate * a * b;
        }
    }
    growth
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(x: Input, v: f64, h: f64) -> Result<f64, Refusal> {
        let mut oscillator = VanDerPolVelocity { mu: 1.0, x, v };
        oscillator.do_step(&Step { t: 0.0, h, tolerance: None })?;
        Ok(oscillator.v)
    }

    #[test]
    fn a_held_position_gives_the_closed_form() {
        for (x, v) in [(2.0_f64, 0.7), (0.3, -1.5), (1.5, 0.0)] {
            let growth = 1.0 - x * x;
            for h in [1e-4_f64, 0.1, 1.0, 30.0] {
                let exact = v * (growth * h).exp() - x * (growth * h).exp_m1() / growth;
                assert!((stepped(Input::new(x), v, h).unwrap() / exact - 1.0).abs() < 1e-14, "{x} {h}");
            }
        }
        assert_eq!(stepped(Input::new(0.0), 0.0, 1.0).unwrap(), 0.0);
        assert!((stepped(Input::new(1.0), 3.0, 2.0).unwrap() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_moving_position_is_followed_as_by_an_independent_quadrature() {
        let x = Input::with_derivatives(2.0, [-1.5, 0.8, 1.2]);
        for h in [0.01, 0.3, 1.0, 2.0] {
            let exact = by_runge_kutta(x, 0.4, h);
            let got = stepped(x, 0.4, h).unwrap();
            assert!((got / exact - 1.0).abs() < 1e-13, "{h}: {got} {exact}");
        }
    }

    /// Integrates with the classic Runge-Kutta method of order 4 and two step sizes, extrapolated.
    fn by_runge_kutta(x: Input, v: f64, h: f64) -> f64 {
        let f = |t: f64, v: f64| (1.0 - x.value(t).powi(2)) * v - x.value(t);
        let solve = |n: u32| {
            let dt = h / f64::from(n);
            (0..n).fold(v, |v, i| {
                let t = f64::from(i) * dt;
                let k1 = f(t, v);
                let k2 = f(t + 0.5 * dt, v + 0.5 * dt * k1);
                let k3 = f(t + 0.5 * dt, v + 0.5 * dt * k2);
                let k4 = f(t + dt, v + dt * k3);
                v + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            })
        };
        let (coarse, fine) = (solve(1000), solve(2000));
        fine + (fine - coarse) / 15.0
    }

    #[test]
    fn a_step_in_parts_is_a_step() {
        let mut x = Input::with_derivatives(1.9, [0.3, -4.0, 9.0]);
        let whole = stepped(x, -1.0, 1.6).unwrap();
        let halfway = stepped(x, -1.0, 0.8).unwrap();
        x = Input::with_derivatives(x.value(0.8), [x.slope(0.8), -4.0 + 0.8 * 9.0, 9.0]);
        assert!((stepped(x, halfway, 0.8).unwrap() / whole - 1.0).abs() < 1e-14);
    }

    #[test]
    fn output_derivatives_are_those_of_the_solution() {
        let oscillator = VanDerPolVelocity { mu: 1.0, x: Input::with_derivatives(1.3, [0.4, 0.0, 0.0]), v: 0.4 };
        let h = 1e-4;
        let at = |h: f64| stepped(oscillator.x, 0.4, h).unwrap() - 0.4;
        assert!((oscillator.acceleration() - (2.0 * at(h) - 0.5 * at(2.0 * h)) / h).abs() < 1e-6);
        assert!((oscillator.jerk() - (at(2.0 * h) - 2.0 * at(h)) / (h * h)).abs() < 1e-2);
    }

    #[test]
    fn what_cannot_be_followed_is_refused_with_a_sentence() {
        let refused = |x| stepped(x, 1.0, 1.0).unwrap_err().to_string();
        assert!(refused(Input::new(f64::NAN)).contains("must be finite"));
        assert!(refused(Input::new(1e9)).contains("smaller step"));
    }
}
