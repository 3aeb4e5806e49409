//! The FMU `two_state_switch`; its equations are in [`models::TwoStateSwitch`].

fmu_sdk::export!(models::TwoStateSwitch);
