//! Coupling schemes by name.

use std::fmt;

use super::{custom::Custom, named::Named};
use crate::algorithm::{
    Sweep,
    sweep::{GaussSeidel, Jacobi, Symmetric},
};

/// Creates a user's coupling scheme.
pub type MakeSweep = dyn Fn() -> Box<dyn Sweep> + Send + Sync;

/// A coupling scheme (key `sweep`): the order in which instances step, and the values that their inputs hold.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SweepMethod {
    /// Instances step one after the other, each with the newest known values.
    GaussSeidel,
    /// Instances step independently, each with the values at the beginning of the step.
    Jacobi,
    /// Half steps forward and backward: order 2 with held inputs.
    Symmetric,
    /// A user's method.
    Custom(Custom<MakeSweep>),
}

impl SweepMethod {
    /// Creates the coupling scheme.
    #[must_use]
    pub fn make(&self) -> Box<dyn Sweep> {
        match self {
            Self::GaussSeidel => Box::new(GaussSeidel),
            Self::Jacobi => Box::<Jacobi>::default(),
            Self::Symmetric => Box::<Symmetric>::default(),
            Self::Custom(custom) => (custom.make)(),
        }
    }
}

impl Named for SweepMethod {
    const KEY: &'static str = "sweep";

    fn built_in() -> Vec<Self> {
        vec![Self::GaussSeidel, Self::Jacobi, Self::Symmetric]
    }

    fn name(&self) -> &'static str {
        match self {
            Self::GaussSeidel => "gauss-seidel",
            Self::Jacobi => "jacobi",
            Self::Symmetric => "symmetric",
            Self::Custom(custom) => custom.name(),
        }
    }
}

impl fmt::Display for SweepMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
