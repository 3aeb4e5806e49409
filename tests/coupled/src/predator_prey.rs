//! Prey and predator.

use border::joined;
use fmu::Fmu;
use lotka::System;

/// Returns prey and predator, statically linked and coupled, until t = 100 s; prey steps first.
pub fn predator_prey() -> System {
    couple(&joined::<models::Prey>(), &joined::<models::Predator>()).stop(100.0)
}

/// Couples a prey and a predator; prey steps first.
pub fn couple(prey: &Fmu, predator: &Fmu) -> System {
    System::new()
        .instance_of("prey", prey)
        .instance_of("predator", predator)
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x")
}
