//! Weighted norms.

/// Relative and absolute tolerance; the weight of a value is `1 / (relative |value| + absolute)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tolerances {
    pub(crate) relative: f64,
    pub(crate) absolute: f64,
}

impl Tolerances {
    #[inline]
    pub(crate) fn weight(self, value: f64) -> f64 {
        1.0 / (self.relative * value.abs() + self.absolute)
    }
}

/// Local error estimates of one step as WRMS norms `sqrt(mean((e_k / (rtol |y_k| + atol))^2))` over all connected and recorded
/// Real outputs: 1 is the tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimates {
    /// From `(y_2 - y_1) / (2^p - 1)`, the difference between the whole step and the half steps (Richardson), p being the order.
    pub difference: f64,
    /// From `h ((y_1 - y_0)/h - (y_2 - y_m)/(h/2)) / (2^p - 1)`, the difference between the slopes of the whole step and of the
    /// second half step, y_m being the middle (Nicolai 2018, equation 5). With the formulas of MasterSim
    /// `(h/2) ((y_1 - y_0)/h - (y_1 - y_m)/(h/2))`.
    pub slope: f64,
}

impl Estimates {
    /// The larger of the two, which decides. Not a number if one of them is not a number.
    pub fn largest(self) -> f64 {
        if self.difference > self.slope || self.difference.is_nan() { self.difference } else { self.slope }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_decides_and_a_missing_number_is_not_lost() {
        assert_eq!(Estimates { difference: 1.0, slope: 2.0 }.largest(), 2.0);
        assert_eq!(Estimates { difference: 3.0, slope: 2.0 }.largest(), 3.0);
        assert!(Estimates { difference: f64::NAN, slope: 2.0 }.largest().is_nan());
        assert!(Estimates { difference: 1.0, slope: f64::NAN }.largest().is_nan());
    }
}
