//! Models of the kit, linked statically.

use fmu::Fmu;
use fmu_sdk::Model;

/// Returns an FMU of this kit, linked statically: without archive and library.
pub fn joined<M: Model>() -> Fmu {
    Fmu::from_functions(fmu_sdk::description::<M>(), fmu_sdk::functions::<M>())
}

/// Does the same for FMI 3.0.
pub fn joined_fmi3<M: Model>() -> Fmu {
    Fmu::from_fmi3_functions(fmu_sdk::fmi3::description::<M>(), fmu_sdk::fmi3::functions::<M>())
}
