//! The FMU `predator`; its equations are in [`models::Predator`].

fmu_sdk::export!(models::Predator);
