//! The FMU `circle`; its equations are in [`models::Circle`].

fmu_sdk::export!(models::Circle);
