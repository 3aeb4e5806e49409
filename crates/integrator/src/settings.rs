//! Settings of a method.

/// Step sizes and tolerances.
///
/// ```
/// use integrator::{AbsoluteTolerance, Settings};
///
/// // Each state has an absolute tolerance of its own.
/// let absolute_tolerance = AbsoluteTolerance::Each(&[1e-6, 1e-3]);
/// let settings = Settings { relative_tolerance: 1e-8, absolute_tolerance, ..Settings::default() };
/// assert_eq!(settings.internal_step, f64::INFINITY);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings<'a> {
    /// Largest internal step of the methods with fixed steps \[s\], positive; infinite: one internal step.
    pub internal_step: f64,
    /// Relative tolerance of the methods with step control, not negative.
    pub relative_tolerance: f64,
    /// Absolute tolerance of the methods with step control, in the units of the states, positive.
    pub absolute_tolerance: AbsoluteTolerance<'a>,
    /// First internal step that a method with step control tries \[s\]. If it is `None` or not positive, the method determines
    /// one with an additional evaluation.
    pub first_step: Option<f64>,
}

/// The error that a state may have however small it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AbsoluteTolerance<'a> {
    /// One number for all states.
    All(f64),
    /// One number per state.
    Each(&'a [f64]),
}

impl Default for Settings<'_> {
    /// Relative tolerance 1e-6, absolute tolerance 1e-9, one internal step for the methods with fixed steps.
    fn default() -> Self {
        let absolute_tolerance = AbsoluteTolerance::All(1e-9);
        Self { internal_step: f64::INFINITY, relative_tolerance: 1e-6, absolute_tolerance, first_step: None }
    }
}

impl Settings<'_> {
    /// Returns the absolute tolerance of state `i`.
    pub(crate) fn absolute(&self, i: usize) -> f64 {
        match self.absolute_tolerance {
            AbsoluteTolerance::All(tolerance) => tolerance,
            AbsoluteTolerance::Each(tolerances) => tolerances[i],
        }
    }

    /// Returns the weighted root mean square norm of an error `e` of a step from `x` to `y`:
    /// `sqrt(mean((e_i / (rtol max(|x_i|, |y_i|) + atol_i))²))`; 0 without states.
    pub(crate) fn norm(&self, e: &[f64], x: &[f64], y: &[f64]) -> f64 {
        let weight = |i, x: f64, y: f64| self.relative_tolerance * x.abs().max(y.abs()) + self.absolute(i);
        let sum: f64 = e.iter().zip(x).zip(y).enumerate().map(|(i, ((e, x), y))| (e / weight(i, *x, *y)).powi(2)).sum();
        if e.is_empty() { 0.0 } else { (sum / e.len() as f64).sqrt() }
    }
}
