//! Coupling schemes by name.

use std::fmt;

use super::{Custom, Named};
use crate::algorithm::{
    Sweep,
    sweep::{GaussSeidel, Jacobi, Symmetric},
};

/// Makes a coupling scheme of a user.
pub type MakeSweep = dyn Fn() -> Box<dyn Sweep> + Send + Sync;

/// A coupling scheme (key `sweep`): in which order instances step, and which values their inputs hold.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SweepMethod {
    /// One after the other, each with the newest known values.
    GaussSeidel,
    /// All at once, each with the values at the beginning of the step.
    Jacobi,
    /// Half steps forth and back: order 2 with held inputs.
    Symmetric,
    /// A user's.
    Custom(Custom<MakeSweep>),
}

impl SweepMethod {
    /// Makes it.
    #[must_use]
    pub fn make(&self) -> Box<dyn Sweep> {
        match self {
            Self::GaussSeidel => Box::new(GaussSeidel),
            Self::Jacobi => Box::new(Jacobi),
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
