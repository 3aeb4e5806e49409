//! The FMU `predator_prey`; its equations are in [`models::PredatorPrey`].

fmu_sdk::export!(models::PredatorPrey);
