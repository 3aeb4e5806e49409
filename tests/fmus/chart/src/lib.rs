//! The FMU `chart` of the campaign; its equations are in [`campaign_models::Chart`].

fmu_sdk::export!(campaign_models::Chart);
