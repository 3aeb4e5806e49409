//! What the models of populations share.

use fmu_sdk::{Input, Refusal};

/// Mean of the input population `name` over a step of `h` seconds.
///
/// # Errors
/// A discard when the mean is negative (a smaller step may help an extrapolated input), an error when it is not a finite number.
#[inline]
pub(crate) fn mean_population(name: &str, input: &Input, h: f64) -> Result<f64, Refusal> {
    let mean = input.mean(h);
    if (0.0..=f64::MAX).contains(&mean) { Ok(mean) } else { Err(no_population(name, mean)) }
}

/// A population after a step.
///
/// # Errors
/// A discard when it grew beyond all numbers.
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
