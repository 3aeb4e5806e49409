//! The FMU `sprung_mass`; its equations are in [`models::SprungMass`].

fmu_sdk::export!(models::SprungMass);
