//! Step-size controllers by name.

use std::fmt;

use super::{custom::Custom, named::Named};
use crate::error_control::{Controller, Filter, Gains, Integral, ProportionalIntegral, ProportionalIntegralDerivative};

/// Creates a user's step-size controller.
pub type MakeController = dyn Fn() -> Box<dyn Controller> + Send + Sync;

/// A step-size controller (key `controller`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ControllerMethod {
    /// Uses the last two errors.
    ProportionalIntegral,
    /// Uses the last error.
    Integral,
    /// Uses the last three errors.
    ProportionalIntegralDerivative,
    /// A digital filter, for noisy errors.
    Filter,
    /// A user's method.
    Custom(Custom<MakeController>),
}

impl ControllerMethod {
    /// Creates the controller; only `pi` uses the gains.
    #[must_use]
    pub fn make(&self, gains: Gains) -> Box<dyn Controller> {
        match self {
            Self::ProportionalIntegral => Box::new(ProportionalIntegral::new(gains)),
            Self::Integral => Box::new(Integral),
            Self::ProportionalIntegralDerivative => Box::<ProportionalIntegralDerivative>::default(),
            Self::Filter => Box::<Filter>::default(),
            Self::Custom(custom) => (custom.make)(),
        }
    }
}

impl Named for ControllerMethod {
    const KEY: &'static str = "controller";

    fn built_in() -> Vec<Self> {
        vec![Self::ProportionalIntegral, Self::Integral, Self::ProportionalIntegralDerivative, Self::Filter]
    }

    fn name(&self) -> &'static str {
        match self {
            Self::ProportionalIntegral => "pi",
            Self::Integral => "i",
            Self::ProportionalIntegralDerivative => "pid",
            Self::Filter => "h211",
            Self::Custom(custom) => custom.name(),
        }
    }
}

impl fmt::Display for ControllerMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
