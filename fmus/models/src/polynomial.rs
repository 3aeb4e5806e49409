//! Inputs over one step as polynomial coefficients.

use fmu_sdk::Input;

/// Number of coefficients of a polynomial.
pub(crate) const TERMS: usize = Input::MAX_DEGREE + 1;

/// Returns the input over a step of `h` seconds in the scaled time `s = tau / h`: `u(s) = c0 + c1 s + c2 s²/2 + c3 s³/6`.
///
/// Coefficients above the degree of the input are exactly zero; the others are exact up to rounding of the largest slope.
#[inline]
pub(crate) fn scaled_derivatives(u: &Input, h: f64) -> [f64; TERMS] {
    let (before, now, after) = (u.slope(-h), u.slope(0.0), u.slope(h));
    [u.value(0.0), h * now, h * (0.5 * (after - before)), h * ((after - now) - (now - before))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_the_derivatives_in_scaled_time() {
        let u = Input::with_derivatives(3.0, [0.5, -4.0, 24.0]);
        assert_eq!(scaled_derivatives(&u, 0.25), [3.0, 0.125, -0.25, 0.375]);
    }

    #[test]
    fn what_the_input_does_not_have_is_zero_to_the_last_bit() {
        assert_eq!(scaled_derivatives(&Input::new(0.1), 0.3), [0.1, 0.0, 0.0, 0.0]);
        assert_eq!(scaled_derivatives(&Input::with_derivatives(0.1, [0.7, 0.0, 0.0]), 0.3)[2..], [0.0, 0.0]);
    }
}
