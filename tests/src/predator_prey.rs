//! The predator–prey system with its FMUs joined statically, so that tests need no archive.

use fmu::Fmu;
use fmu_sdk::Model;
use lotka::System;

/// An FMU of this kit without archive and library.
pub fn joined<M: Model>() -> Fmu {
    Fmu::from_functions(fmu_sdk::description::<M>(), fmu_sdk::functions::<M>())
}

/// Prey and predator, coupled, until t = 100 s; prey steps first.
pub fn predator_prey() -> System {
    System::new()
        .instance_of("prey", &joined::<models::Prey>())
        .instance_of("predator", &joined::<models::Predator>())
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x")
        .stop(100.0)
}
