//! The FMU `vessel` of the campaign; its equations are in [`campaign_models::Vessel`].

fmu_sdk::export!(campaign_models::Vessel);
