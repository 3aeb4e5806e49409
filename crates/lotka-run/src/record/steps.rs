//! The history of step sizes and error estimates.

use std::fmt;

use lotka_step::error_control::Estimates;

use super::{Notification, Observer, Rejection};

/// Stores time, size and estimates of every accepted step, and the reasons why others were rejected.
///
/// ```
/// use lotka::{StepSizes, System};
/// # use fmu_sdk::{description, functions};
/// # let prey = lotka::Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
/// # let predator = lotka::Fmu::from_functions(description::<models::Predator>(), functions::<models::Predator>());
/// # let system = System::new().instance_of("prey", &prey).instance_of("predator", &predator);
/// # let system = system.connect("prey.y", "predator.y").connect("predator.x", "prey.x");
///
/// let mut steps = StepSizes::new();
/// system.stop(100.0).local_tolerance(1e-2).build()?.run(&mut [&mut steps])?;
/// for rejected in &steps.rejected {
///     println!("{rejected}");
/// }
/// // t = 36.25 s, h = 0.5 s: the error estimate is 1.234 times the tolerance (step-doubling, slope norm), most of it from `predator.y`
/// assert!(steps.rejected.iter().all(|rejected| rejected.value().is_some_and(|value| value > 1.0)));
/// assert!(steps.rejected[0].to_string().contains("predator.y") || steps.rejected[0].to_string().contains("prey.x"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct StepSizes {
    /// Time at the end of each step \[s\].
    pub time: Vec<f64>,
    /// Size of each step \[s\].
    pub step: Vec<f64>,
    /// Error estimates of each step, in units of the tolerance; empty without error control.
    pub estimates: Vec<Estimates>,
    /// Steps that were rejected.
    pub rejected: Vec<RejectedStep>,
}

/// A rejected step, with the reason.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RejectedStep {
    /// Time at its beginning \[s\].
    pub time: f64,
    /// Its size \[s\].
    pub step: f64,
    /// The reason.
    pub reason: Rejection,
    /// The decisive output, as `instance.variable`.
    pub variable: Option<String>,
}

impl RejectedStep {
    /// Returns the name of the estimator, if the step failed the error test.
    #[must_use]
    pub fn estimator(&self) -> Option<&'static str> {
        match self.reason {
            Rejection::ErrorTest { estimator, .. } => Some(estimator),
            _ => None,
        }
    }

    /// Returns the error estimate in units of the tolerance, if the step failed the error test.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        match self.reason {
            Rejection::ErrorTest { estimates, .. } => Some(estimates.largest()),
            _ => None,
        }
    }
}

impl fmt::Display for RejectedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t = {} s, h = {} s: {}", self.time, self.step, self.reason)?;
        match &self.variable {
            Some(variable) if self.value().is_some() => write!(f, ", most of it from `{variable}`"),
            Some(variable) => write!(f, ": `{variable}`"),
            None => Ok(()),
        }
    }
}

impl StepSizes {
    /// Creates an empty history.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the steps after `time` \[s\].
    fn withdraw(&mut self, time: f64) {
        let count = self.time.partition_point(|end| *end <= time);
        self.time.truncate(count);
        self.step.truncate(count);
        self.estimates.truncate(count);
        self.rejected.retain(|rejected| rejected.time < time);
    }
}

impl Observer for StepSizes {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Started { .. } | Notification::Resumed { .. } => *self = Self::default(),
            Notification::Returned { time, .. } => self.withdraw(*time),
            Notification::StepAccepted { time, step, estimates, .. } => {
                self.time.push(*time);
                self.step.push(*step);
                self.estimates.extend(*estimates);
            }
            Notification::StepRejected { time, step, reason, variable } => {
                let variable = variable.map(str::to_owned);
                self.rejected.push(RejectedStep { time: *time, step: *step, reason: *reason, variable });
            }
            _ => {}
        }
    }
}
