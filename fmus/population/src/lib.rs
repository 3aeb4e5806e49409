//! The FMU `population`; its equations are in [`models::Population`].

fmu_sdk::export!(models::Population);
