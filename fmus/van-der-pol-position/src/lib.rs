//! The FMU `van_der_pol_position`; its equations are in [`models::VanDerPolPosition`].

fmu_sdk::export!(models::VanDerPolPosition);
