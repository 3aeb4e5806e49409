//! The FMU `half_van_der_pol` of the campaign; its equations are in [`campaign_models::HalfVanDerPol`].

fmu_sdk::export!(campaign_models::HalfVanDerPol);
