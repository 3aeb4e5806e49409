//! The FMU `ramped` of the campaign; its equations are in [`campaign_models::Ramped`].

fmu_sdk::export!(campaign_models::Ramped);
