//! The FMU `three_species`; its equations are in [`models::ThreeSpecies`].

fmu_sdk::export!(models::ThreeSpecies);
