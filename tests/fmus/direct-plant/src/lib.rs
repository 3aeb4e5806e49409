//! The FMU `direct_plant` of the campaign; its equations are in [`campaign_models::Plant`].

fmu_sdk::export!(campaign_models::Plant<true>);
