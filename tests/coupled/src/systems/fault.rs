//! Prey and predators as FMUs with weaknesses of real ones. Start reading at [`black_box`].

mod euler;
mod forgetful;
mod noisy;
mod prey;
mod stripped;
mod tolerant;
mod undefined;

use lotka::System;
use models::{Predator, Prey};

pub use euler::EulerPrey;
pub use forgetful::ForgetfulPrey;
pub use noisy::{NOISE, NoisyPrey};
pub use stripped::{Lacking, stripped};
pub use tolerant::TolerantPrey;
pub use undefined::Undefined;

use crate::{couple, joined, predator_prey};

/// Returns prey and predators until t = 100 s, as FMUs that hold their inputs and provide no derivatives of any kind.
pub fn black_box() -> System {
    couple(&stripped::<Prey>(Lacking::Derivatives), &stripped::<Predator>(Lacking::Derivatives)).stop(100.0)
}

/// Same as [`black_box`], and the states cannot be saved or restored.
pub fn forward_only() -> System {
    couple(&stripped::<Prey>(Lacking::DerivativesAndStates), &stripped::<Predator>(Lacking::DerivativesAndStates)).stop(100.0)
}

/// Returns prey and predators until t = 100 s; restoring the prey is inexact: see [`NoisyPrey`].
pub fn noisy() -> System {
    couple(&joined::<NoisyPrey>(), &joined::<Predator>()).stop(100.0)
}

/// Returns prey and predators until t = 100 s; the prey does not return to its saved states: see [`ForgetfulPrey`].
pub fn forgetful() -> System {
    couple(&joined::<ForgetfulPrey>(), &joined::<Predator>()).stop(100.0)
}

/// Returns prey and predators until t = 100 s; the prey has an internal error that is independent of the tolerance: see
/// [`EulerPrey`].
pub fn euler_inside() -> System {
    couple(&joined::<EulerPrey>(), &joined::<Predator>()).stop(100.0)
}

/// Returns prey and predators until t = 100 s; the prey has an internal error that depends on the tolerance: see
/// [`TolerantPrey`].
pub fn tolerance_inside() -> System {
    couple(&joined::<TolerantPrey>(), &joined::<Predator>()).stop(100.0)
}

/// Returns prey and predators until t = 100 s, and an unconnected FMU `clock` with an output that is NaN: see [`Undefined`].
pub fn undefined_beside() -> System {
    predator_prey().instance_of("clock", &joined::<Undefined>()).stop(100.0)
}
