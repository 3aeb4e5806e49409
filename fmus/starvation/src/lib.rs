//! The FMU `starvation`; its equations are in [`models::Starvation`].

fmu_sdk::export!(models::Starvation);
