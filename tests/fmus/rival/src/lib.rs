//! The FMU `rival` of the campaign; its equations are in [`campaign_models::Rival`].

fmu_sdk::export!(campaign_models::Rival);
