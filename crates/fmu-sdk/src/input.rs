//! Inputs that are polynomials over one communication step.

use serde::{Deserialize, Serialize};

/// A Real input as a polynomial of degree 0 to 3 over one step; `tau` \[s\] counts from the start of the step.
///
/// `p(tau) = v + d1 tau + d2 tau^2 / 2 + d3 tau^3 / 6`: in FMI 2.0, `v` comes from `fmi2SetReal`, the derivatives from
/// `fmi2SetRealInputDerivatives`. In FMI 3.0, the kit asks the importer for values during the step (`intermediateUpdate`), at its
/// start, after each third and at its end, and takes the polynomial through them; without such values, the input is held.
/// Derivatives apply to one step. After the step, the input has the value and the derivatives of the polynomial at its end, from
/// which output derivatives and directional derivatives are computed. A next step without new derivatives starts from that value,
/// or from a newly set one, and holds it.
///
/// ```
/// let y = fmu_sdk::Input::new(3.0);
/// assert_eq!((y.value(0.5), y.integral(0.5), y.mean(0.5)), (3.0, 1.5, 3.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Input {
    value: f64,
    derivatives: [f64; Input::MAX_DEGREE],
}

/// Multiplication is several times faster than division, and this runs in every step.
const SIXTH: f64 = 1.0 / 6.0;

impl Input {
    /// Highest degree of the polynomial.
    pub const MAX_DEGREE: usize = 3;

    /// Creates an input that is held at `value`.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Self { value, derivatives: [0.0; Self::MAX_DEGREE] }
    }

    /// Creates an input with this value and these derivatives of orders 1 to 3 at the start of the step.
    #[must_use]
    pub fn with_derivatives(value: f64, derivatives: [f64; Self::MAX_DEGREE]) -> Self {
        Self { value, derivatives }
    }

    /// Returns the value at `tau`.
    #[inline]
    #[must_use]
    pub fn value(&self, tau: f64) -> f64 {
        let [d1, d2, d3] = self.derivatives;
        self.value + tau * (d1 + tau * (d2 * 0.5 + tau * (d3 * SIXTH)))
    }

    /// Returns the first derivative at `tau`.
    #[inline]
    #[must_use]
    pub fn slope(&self, tau: f64) -> f64 {
        let [d1, d2, d3] = self.derivatives;
        d1 + tau * (d2 + tau * (d3 * 0.5))
    }

    /// Returns the exact integral over 0 … `h`.
    #[inline]
    #[must_use]
    pub fn integral(&self, h: f64) -> f64 {
        h * self.mean(h)
    }

    /// Returns the exact mean over 0 … `h`; for an input that is held, exactly its value.
    #[inline]
    #[must_use]
    pub fn mean(&self, h: f64) -> f64 {
        let [d1, d2, d3] = self.derivatives;
        self.value + h * (d1 * 0.5 + h * (d2 * SIXTH + h * (d3 * (SIXTH / 4.0))))
    }

    /// Returns the value at the start of the step, as read through FMI.
    #[inline]
    pub(crate) fn start(&self) -> f64 {
        self.value
    }

    #[inline]
    pub(crate) fn set_start(&mut self, value: f64) {
        self.value = value;
    }

    /// Sets the derivative of order 1 to 3; returns `false` for other orders.
    pub(crate) fn set_derivative(&mut self, order: i32, value: f64) -> bool {
        let slot = usize::try_from(order).ok().and_then(|n| n.checked_sub(1)).and_then(|n| self.derivatives.get_mut(n));
        slot.map(|d| *d = value).is_some()
    }

    /// Creates the input with these values at 0, h/3, 2h/3 and `h`. Equal values yield an input that is held.
    pub(crate) fn through(values: [f64; 4], h: f64) -> Self {
        let [first, second, third, last] = values;
        // Newton's forward differences, which are exactly 0 for equal values.
        let (d1, d2) = (second - first, (third - second) - (second - first));
        let d3 = (last - third) - (third - second) - d2;
        let per_third = 3.0 / h;
        let slope = (d1 - d2 * 0.5 + d3 / 3.0) * per_third;
        let (second, third) = ((d2 - d3) * per_third * per_third, d3 * per_third * per_third * per_third);
        Self::with_derivatives(first, [slope, second, third])
    }

    /// Whether all derivatives are zero.
    pub(crate) fn is_held(&self) -> bool {
        self.derivatives == [0.0; Self::MAX_DEGREE]
    }

    /// Clears the derivatives, so that the input is held.
    pub(crate) fn hold(&mut self) {
        self.derivatives = [0.0; Self::MAX_DEGREE];
    }

    /// Moves the origin of the polynomial by `h`.
    pub(crate) fn advance(&mut self, h: f64) {
        let [_, d2, d3] = self.derivatives;
        *self = Self { value: self.value(h), derivatives: [self.slope(h), d2 + h * d3, d3] };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cubic() -> Input {
        Input::with_derivatives(1.0, [2.0, -3.0, 6.0])
    }

    #[test]
    fn value_slope_integral_and_mean_are_those_of_the_polynomial() {
        // p = 1 + 2 t - 1.5 t^2 + t^3
        let (y, t) = (cubic(), 2.0);
        assert_eq!(y.value(t), 7.0);
        assert_eq!(y.slope(t), 8.0);
        assert_eq!(y.integral(t), 6.0);
        assert_eq!(y.mean(t), 3.0);
    }

    #[test]
    fn an_advanced_input_is_the_same_polynomial_seen_from_later() {
        let (y, mut later) = (cubic(), cubic());
        later.advance(0.5);
        for tau in [0.0, 0.25, 1.0] {
            assert!((later.value(tau) - y.value(0.5 + tau)).abs() < 1e-14);
        }
    }

    #[test]
    fn an_input_through_values_of_a_cubic_is_that_cubic() {
        let (y, h) = (cubic(), 0.6);
        let through = Input::through([0.0, h / 3.0, 2.0 * h / 3.0, h].map(|tau| y.value(tau)), h);
        for tau in [0.0, 0.1, 0.35, 0.6] {
            assert!((through.value(tau) - y.value(tau)).abs() < 1e-14, "{tau}");
            assert!((through.slope(tau) - y.slope(tau)).abs() < 1e-12, "{tau}");
        }
        let held = Input::through([0.1; 4], h);
        assert!(held.is_held() && held == Input::new(0.1));
    }

    #[test]
    fn orders_outside_one_to_three_are_refused() {
        let mut y = Input::new(1.0);
        assert!((1..=3).all(|order| y.set_derivative(order, 1.0)));
        assert!(![i32::MIN, -1, 0, 4].into_iter().any(|order| y.set_derivative(order, 1.0)));
    }

    #[test]
    fn a_held_input_is_its_own_mean_bit_for_bit() {
        let y = Input::new(0.1);
        assert_eq!(y.mean(0.3).to_bits(), 0.1_f64.to_bits());
    }
}
