//! The FMU `stiff`; its equations are in [`models::Stiff`].

fmu_sdk::export!(models::Stiff);
