//! Prey and predators as FMUs that have weaknesses of real ones: start reading at [`black_box`].

mod euler;
mod noisy;
mod prey;
mod stripped;
mod tolerant;

use lotka::System;
use models::{Predator, Prey};

pub use euler::EulerPrey;
pub use noisy::{NOISE, NoisyPrey};
pub use stripped::{Lacking, stripped};
pub use tolerant::TolerantPrey;

use crate::{couple, joined};

/// Prey and predators until t = 100 s as FMUs that hold their inputs and give no derivatives of any kind.
pub fn black_box() -> System {
    couple(&stripped::<Prey>(Lacking::Derivatives), &stripped::<Predator>(Lacking::Derivatives)).stop(100.0)
}

/// As [`black_box`], and no state can be saved or restored.
pub fn forward_only() -> System {
    couple(&stripped::<Prey>(Lacking::DerivativesAndStates), &stripped::<Predator>(Lacking::DerivativesAndStates)).stop(100.0)
}

/// Prey and predators until t = 100 s, where restoring the prey is inexact: see [`NoisyPrey`].
pub fn noisy() -> System {
    couple(&joined::<NoisyPrey>(), &joined::<Predator>()).stop(100.0)
}

/// Prey and predators until t = 100 s, where the prey has an error of its own that no tolerance changes: see [`EulerPrey`].
pub fn euler_inside() -> System {
    couple(&joined::<EulerPrey>(), &joined::<Predator>()).stop(100.0)
}

/// Prey and predators until t = 100 s, where the prey has an error of its own that follows the tolerance: see [`TolerantPrey`].
pub fn tolerance_inside() -> System {
    couple(&joined::<TolerantPrey>(), &joined::<Predator>()).stop(100.0)
}
