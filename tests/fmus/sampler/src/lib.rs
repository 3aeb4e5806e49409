//! The FMU `sampler` of the campaign; its equations are in [`campaign_models::Sampler`].

fmu_sdk::export!(campaign_models::Sampler);
