//! Equations that the population models share.

use fmu_sdk::{Input, Refusal};

/// Growth of a population `x` with one other population `u`: dx/dt = x (own + other u), with `own` and `other` in 1/s.
pub(crate) struct Growth<'a> {
    pub(crate) own: f64,
    pub(crate) other: f64,
    pub(crate) u: &'a Input,
}

impl Growth<'_> {
    /// Relative growth rate at the start of the step \[1/s\].
    pub(crate) fn relative(&self) -> f64 {
        self.own + self.other * self.u.value(0.0)
    }

    /// dx/dt \[1/s\].
    pub(crate) fn rate(&self, x: f64) -> f64 {
        x * self.relative()
    }

    /// d²x/dt² \[1/s²\].
    pub(crate) fn curvature(&self, x: f64) -> f64 {
        self.rate(x) * self.relative() + self.other * x * self.u.slope(0.0)
    }

    /// Returns the population `name` after a step of `h` seconds, exact for every input polynomial; `input` is the name of `u`.
    ///
    /// # Errors
    /// Those of [`mean_population`] and [`finite_population`].
    pub(crate) fn step(&self, name: &str, x: f64, input: &str, h: f64) -> Result<f64, Refusal> {
        let u = mean_population(input, self.u, h)?;
        finite_population(name, x * ((self.own + self.other * u) * h).exp())
    }
}

/// Returns the mean of the input population `name` over a step of `h` seconds.
///
/// # Errors
/// A discard if the mean is negative (a smaller step may help an extrapolated input), an error if it is not finite.
#[inline]
pub(crate) fn mean_population(name: &str, input: &Input, h: f64) -> Result<f64, Refusal> {
    let mean = input.mean(h);
    if (0.0..=f64::MAX).contains(&mean) { Ok(mean) } else { Err(no_population(name, mean)) }
}

/// Returns a population after a step, checked for overflow.
///
/// # Errors
/// A discard if it is not finite.
#[inline]
pub(crate) fn finite_population(name: &str, value: f64) -> Result<f64, Refusal> {
    if value.is_finite() { Ok(value) } else { Err(grown_too_large(name, value)) }
}

#[cold]
fn no_population(name: &str, mean: f64) -> Refusal {
    let message =
        format!("input {name} is a population and must be finite and not negative, but its mean over the step is {mean}");
    if mean.is_finite() { Refusal::discard(message) } else { Refusal::error(message) }
}

#[cold]
fn grown_too_large(name: &str, value: f64) -> Refusal {
    Refusal::discard(format!("population {name} becomes {value} in this step; use a smaller step"))
}
