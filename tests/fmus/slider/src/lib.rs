//! The FMU `slider` of the campaign; its equations are in [`campaign_models::Slider`].

fmu_sdk::export!(campaign_models::Slider);
