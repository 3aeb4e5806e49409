//! The FMU `sprung_mass_force`; its equations are in [`models::SprungMassForce`].

fmu_sdk::export!(models::SprungMassForce);
