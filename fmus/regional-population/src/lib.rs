//! The FMU `regional_population`; its equations are in [`models::RegionalPopulation`].

fmu_sdk::export!(models::RegionalPopulation);
