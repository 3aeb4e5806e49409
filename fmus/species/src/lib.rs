//! The FMU `species`; its equations are in [`models::Species`].

fmu_sdk::export!(models::Species);
