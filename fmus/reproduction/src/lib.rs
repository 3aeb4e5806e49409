//! The FMU `reproduction`; its equations are in [`models::Reproduction`].

fmu_sdk::export!(models::Reproduction);
