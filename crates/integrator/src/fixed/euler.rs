//! Euler's method.

use super::runge_kutta::Tableau;

/// Order 1: `x(t + h) = x + h f(t, x)`. It uses the derivative at the start of the step only.
///
/// Source: L. Euler, Institutionum calculi integralis, volume 1, 1768, section 2, chapter 7.
pub(crate) const EULER: Tableau = Tableau { a: &[&[]], b: &[1.0], c: &[0.0] };
