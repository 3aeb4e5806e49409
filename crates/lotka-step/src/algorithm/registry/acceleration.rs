//! Accelerations of the iteration by name.

use std::fmt;

use super::{custom::Custom, named::Named};
use crate::algorithm::{
    Acceleration, Coupled,
    acceleration::{Aitken, Anderson, FixedPoint, Relaxation},
    iteration::{Correction, Newton},
};

/// Creates a user's acceleration for a number of exchanged values.
pub type MakeAcceleration = dyn Fn(usize) -> Box<dyn Acceleration> + Send + Sync;

/// Factor of the constant relaxation, and of Aitken's first correction.
const RELAXATION: f64 = 0.5;

/// Number of columns of the least squares of Anderson's method, and of steps whose columns are reused.
const COLUMNS: (usize, usize) = (20, 3);

/// How the next values of an iteration are chosen (key `acceleration`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AccelerationMethod {
    /// The result of the previous pass.
    None,
    /// Constant relaxation.
    Relaxation,
    /// Aitken's dynamic relaxation.
    Aitken,
    /// Anderson's method, the same as the interface quasi-Newton method with least squares.
    Anderson,
    /// Newton's method, with derivatives from instances or from additional steps.
    Newton,
    /// A user's method.
    Custom(Custom<MakeAcceleration>),
}

impl AccelerationMethod {
    /// Creates the method for the loop of these instances, given by their indices.
    pub(crate) fn make(&self, coupled: &Coupled, instances: &[usize]) -> Box<dyn Correction> {
        let n = instances.iter().map(|&instance| coupled.plan.instances[instance].n_connected).sum();
        match self {
            Self::None => Box::new(FixedPoint),
            Self::Relaxation => Box::new(Relaxation::new(RELAXATION)),
            Self::Aitken => Box::new(Aitken::new(n, RELAXATION)),
            Self::Anderson => Box::new(Anderson::new(n, COLUMNS.0, COLUMNS.1)),
            Self::Newton => Box::new(Newton::new(coupled, instances)),
            Self::Custom(custom) => Box::new((custom.make)(n)),
        }
    }
}

impl Named for AccelerationMethod {
    const KEY: &'static str = "acceleration";

    fn built_in() -> Vec<Self> {
        vec![Self::None, Self::Relaxation, Self::Aitken, Self::Anderson, Self::Newton]
    }

    fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Relaxation => "relaxation",
            Self::Aitken => "aitken",
            Self::Anderson => "anderson",
            Self::Newton => "newton",
            Self::Custom(custom) => custom.name(),
        }
    }
}

impl fmt::Display for AccelerationMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
