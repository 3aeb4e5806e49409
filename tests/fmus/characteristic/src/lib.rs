//! The FMU `characteristic`, with a table in its resources; its equations are in [`campaign_models::Characteristic`].

fmu_sdk::export!(campaign_models::Characteristic);
