//! The FMU `lorenz` of the campaign; its equations are in [`campaign_models::Lorenz`].

fmu_sdk::export!(campaign_models::Lorenz);
