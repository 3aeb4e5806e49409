//! The FMU `bouncing_ball`; its equations are in [`models::BouncingBall`].

fmu_sdk::export!(models::BouncingBall);
