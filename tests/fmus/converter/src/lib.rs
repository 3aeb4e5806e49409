//! The FMU `converter` of the campaign; its equations are in [`campaign_models::Converter`].

fmu_sdk::export!(campaign_models::Converter);
