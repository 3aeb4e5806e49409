//! The FMU `regulator` of the campaign; its equations are in [`campaign_models::Regulator`].

fmu_sdk::export!(campaign_models::Regulator);
