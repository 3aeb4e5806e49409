//! The FMU `van_der_pol_velocity`; its equations are in [`models::VanDerPolVelocity`].

fmu_sdk::export!(models::VanDerPolVelocity);
