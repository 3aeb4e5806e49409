//! The FMU `two_state_ode`; its equations are in [`models::TwoStateOde`].

fmu_sdk::export!(models::TwoStateOde);
