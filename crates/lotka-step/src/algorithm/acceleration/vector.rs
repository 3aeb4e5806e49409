//! Sums and checks over values, shared by all accelerations.

/// Scalar product of `a` and `b` in units of the weights: `sum(w_k^2 a_k b_k)`.
pub(super) fn weighted_dot(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    a.iter().zip(b).zip(weights).map(|((a, b), w)| (w * a) * (w * b)).sum()
}

/// Norm `|v|_w` in units of the weights.
pub(super) fn weighted_norm(v: &[f64], weights: &[f64]) -> f64 {
    weighted_dot(v, v, weights).sqrt()
}

pub(super) fn is_finite(v: &[f64]) -> bool {
    v.iter().all(|value| value.is_finite())
}

/// `difference = a - b`.
pub(super) fn subtract(difference: &mut [f64], a: &[f64], b: &[f64]) {
    for ((difference, a), b) in difference.iter_mut().zip(a).zip(b) {
        *difference = a - b;
    }
}

/// Moves halfway back to `good`, the last values for which `G` was finite.
pub(super) fn retreat(x: &mut [f64], good: &[f64]) {
    for (x, good) in x.iter_mut().zip(good) {
        *x = 0.5 * *x + 0.5 * good;
    }
}
