//! The FMU `joint` of the campaign; its equations are in [`campaign_models::Joint`].

fmu_sdk::export!(campaign_models::Joint);
