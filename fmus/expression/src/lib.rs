//! The FMU `expression`; its formulas are read in [`models::Expression`].

fmu_sdk::export!(models::Expression);
