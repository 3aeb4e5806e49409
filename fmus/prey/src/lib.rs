//! The FMU `prey`; its equations are in [`models::Prey`].

fmu_sdk::export!(models::Prey);
