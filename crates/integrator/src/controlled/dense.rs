//! Dense output: states within an internal step.

use super::Embedded;

/// The last accepted internal step.
pub(crate) struct AcceptedStep<'a> {
    /// Step size \[s\].
    pub h: f64,
    /// States at its start.
    pub x: &'a [f64],
    /// States at its end.
    pub next: &'a [f64],
}

/// A method with dense output. It interpolates within the last accepted step without further evaluations.
pub(crate) trait Dense: Embedded {
    /// Computes the states `x` at the part `theta`, from 0 to 1, of the last accepted step.
    fn interpolate(&self, step: &AcceptedStep, theta: f64, x: &mut [f64]);
}

/// Dense output of order 3 from the states and the derivatives at both ends: the cubic Hermite polynomial.
///
/// ```text
/// (1 - θ) x_0 + θ x_1 + θ (θ - 1) ((1 - 2θ) (x_1 - x_0) + (θ - 1) h f_0 + θ h f_1)
/// ```
///
/// Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 1993, II.6, doi
/// 10.1007/978-3-540-78862-1.
pub(crate) fn hermite(step: &AcceptedStep, slopes: [&[f64]; 2], theta: f64, x: &mut [f64]) {
    let [first, last] = slopes;
    for (i, x) in x.iter_mut().enumerate() {
        let (from, to) = (step.x[i], step.next[i]);
        let bend = (1.0 - 2.0 * theta) * (to - from) + step.h * ((theta - 1.0) * first[i] + theta * last[i]);
        *x = (1.0 - theta) * from + theta * to + theta * (theta - 1.0) * bend;
    }
}
