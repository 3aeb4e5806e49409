//! The FMU `heat_rod`; its equations are in [`models::HeatRod`].

fmu_sdk::export!(models::HeatRod);
