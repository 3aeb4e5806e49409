//! The FMU `mass`; its equations are in [`models::Mass`].

fmu_sdk::export!(models::Mass);
