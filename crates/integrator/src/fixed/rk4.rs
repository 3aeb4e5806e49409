//! The classic Runge–Kutta method.

use super::runge_kutta::Tableau;

/// Order 4, with four stages: `x(t + h) = x + k1 / 6 + k2 / 3 + k3 / 3 + k4 / 6`, where `k1` is taken at the start of the step,
/// `k2` and `k3` in its middle, each with the one before, and `k4` at its end with `k3`.
///
/// Source: W. Kutta, Beitrag zur näherungsweisen Integration totaler Differentialgleichungen, Zeitschrift für Mathematik und
/// Physik 46 (1901).
pub(crate) const RK4: Tableau = Tableau {
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
};
