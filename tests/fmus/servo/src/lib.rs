//! The FMU `servo` of the campaign; its equations are in [`campaign_models::Servo`].

fmu_sdk::export!(campaign_models::Servo);
