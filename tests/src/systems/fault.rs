//! Prey and predators as FMUs that have weaknesses of real ones: start reading at [`black_box`].

mod euler;
mod noisy;
mod prey;
mod stripped;
mod tolerant;
mod undefined;

use lotka::System;
use models::{Predator, Prey};

pub use euler::EulerPrey;
pub use noisy::{NOISE, NoisyPrey};
pub use stripped::{Lacking, stripped};
pub use tolerant::TolerantPrey;
pub use undefined::Undefined;

use crate::{couple, joined, predator_prey};

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

/// Prey and predators until t = 100 s beside an FMU `clock` that is connected to nothing and has an output that is no number: see
/// [`Undefined`].
pub fn undefined_beside() -> System {
    predator_prey().instance_of("clock", &joined::<Undefined>()).stop(100.0)
}
