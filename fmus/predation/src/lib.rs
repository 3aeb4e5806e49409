//! The FMU `predation`; its equations are in [`models::Predation`].

fmu_sdk::export!(models::Predation);
