//! The explicit midpoint method.

use super::runge_kutta::Tableau;

/// Order 2, with the derivative halfway: `x(t + h) = x + k2` with `k1 = h f(t, x)`, `k2 = h f(t + h / 2, x + k1 / 2)`.
///
/// Source: C. Runge, Ueber die numerische Auflösung von Differentialgleichungen, Mathematische Annalen 46 (1895), doi
/// 10.1007/BF01446807.
pub(crate) const MIDPOINT: Tableau = Tableau { a: &[&[], &[0.5]], b: &[0.0, 1.0], c: &[0.0, 0.5] };
