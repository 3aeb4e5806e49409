//! The FMU `two_state_plant`; its equations are in [`models::TwoStatePlant`].

fmu_sdk::export!(models::TwoStatePlant);
