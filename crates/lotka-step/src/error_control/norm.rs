//! Weighted norms.

/// Relative and absolute tolerance; the weight of a value is `1 / (relative |value| + absolute)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerances {
    /// Relative to the value.
    pub relative: f64,
    /// In the unit of the value.
    pub absolute: f64,
}

impl Tolerances {
    /// Weight of a value, in one over its unit.
    #[inline]
    #[must_use]
    pub fn weight(self, value: f64) -> f64 {
        1.0 / (self.relative * value.abs() + self.absolute)
    }

    /// WRMS norm of errors, each paired with its value; 0 if there are none.
    #[must_use]
    pub fn norm(self, errors: impl Iterator<Item = (f64, f64)>) -> f64 {
        let (mut sum, mut count) = (0.0, 0_u32);
        for (error, value) in errors {
            sum += (error * self.weight(value)).powi(2);
            count += 1;
        }
        (sum / f64::from(count.max(1))).sqrt()
    }

    /// Position of the error that contributes most to [`Tolerances::norm`].
    #[must_use]
    pub fn worst(self, errors: impl Iterator<Item = (f64, f64)>) -> Option<usize> {
        let contributions = errors.map(|(error, value)| (error * self.weight(value)).abs()).enumerate();
        contributions.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(position, _)| position)
    }
}

/// Local error estimates of one step as WRMS norms `sqrt(mean((e_k / (rtol |y_k| + atol))^2))`: 1 is the tolerance.
///
/// The estimators `step-doubling` and `embedded` consider all connected and recorded Real outputs, `predictor-corrector` only the
/// connected ones.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Estimates {
    /// With `step-doubling`, from `(y_2 - y_1) / (2^p - 1)`, the difference between the whole step and the half steps
    /// (Richardson), with the order p. With `embedded`, from the difference between the results for both input degrees. With
    /// `predictor-corrector`, from the result minus its extrapolation, times a factor.
    pub difference: f64,
    /// With `step-doubling`, from `h ((y_1 - y_0)/h - (y_2 - y_m)/(h/2)) / (2^p - 1)` with the middle y_m (Nicolai 2018, equation
    /// 5). This is the difference between the slopes of the whole step and of the second half step. With the formulas of
    /// MasterSim, from `(h/2) ((y_1 - y_0)/h - (y_1 - y_m)/(h/2))`. Methods of higher order and other estimators have no second
    /// norm: 0.
    pub slope: f64,
}

impl Estimates {
    /// Estimates of an estimator with one norm.
    #[must_use]
    pub fn of_difference(difference: f64) -> Self {
        Self { difference, slope: 0.0 }
    }

    /// The larger of the two, which is decisive. Not a number if one of them is not a number.
    #[must_use]
    pub fn largest(self) -> f64 {
        if self.difference > self.slope || self.difference.is_nan() { self.difference } else { self.slope }
    }

    /// Whether the estimates pass the error test; one that is not a number fails it.
    #[inline]
    #[must_use]
    pub fn pass(self) -> bool {
        self.largest() <= 1.0
    }

    /// Name of the decisive norm: `difference` or `slope`.
    #[must_use]
    pub fn deciding(self) -> &'static str {
        if self.difference >= self.slope || self.difference.is_nan() { "difference" } else { "slope" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_norm_is_a_mean_and_the_worst_is_weighted() {
        let tolerances = Tolerances { relative: 0.1, absolute: 0.5 };
        let errors = [(1.0, 0.0), (-3.0, 10.0)];
        assert!((tolerances.norm(errors.into_iter()) - 2.0).abs() < 1e-15);
        assert_eq!(tolerances.worst([(1.0, 0.0), (-2.0, 10.0)].into_iter()), Some(0));
        assert_eq!((tolerances.norm([].into_iter()), tolerances.worst([].into_iter())), (0.0, None));
    }

    #[test]
    fn the_larger_decides_and_a_missing_number_is_not_lost() {
        assert_eq!(Estimates { difference: 1.0, slope: 2.0 }.largest(), 2.0);
        assert_eq!(Estimates { difference: 3.0, slope: 2.0 }.largest(), 3.0);
        assert!(Estimates { difference: f64::NAN, slope: 2.0 }.largest().is_nan());
        assert!(Estimates { difference: 1.0, slope: f64::NAN }.largest().is_nan());
        assert_eq!(Estimates { difference: 1.0, slope: 2.0 }.deciding(), "slope");
        assert_eq!(Estimates::of_difference(0.0).deciding(), "difference");
    }
}
