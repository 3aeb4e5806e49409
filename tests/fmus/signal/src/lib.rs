//! The FMU `signal` of the campaign; its equations are in [`campaign_models::Signal`].

fmu_sdk::export!(campaign_models::Signal);
