//! The FMUs of this project, linked statically.

use fmu::Fmu;
use fmu_sdk::Model;
use lotka::System;

/// Returns an FMU of this kit, linked statically: without archive and library.
pub fn joined<M: Model>() -> Fmu {
    Fmu::from_functions(fmu_sdk::description::<M>(), fmu_sdk::functions::<M>())
}

/// Does the same for FMI 3.0.
pub fn joined_fmi3<M: Model>() -> Fmu {
    Fmu::from_fmi3_functions(fmu_sdk::fmi3::description::<M>(), fmu_sdk::fmi3::functions::<M>())
}

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
