//! The FMU `relay` of the campaign; its equations are in [`campaign_models::Relay`].

fmu_sdk::export!(campaign_models::Relay<false>);
