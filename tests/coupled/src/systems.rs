//! Coupled systems with known solutions, linked statically, and FMUs with weaknesses of real ones.
//!
//! Each function returns a [`lotka::System`] with its connections and stop time; the test chooses step, tolerance and
//! algorithm. [`known`] contains known states, [`exact`] outputs at any time. Start reading at [`two_mass`].

pub mod driven;
pub mod exact;
pub mod fault;
pub mod known;
pub mod machine;
mod nonsmooth;
mod oscillators;
mod populations;
mod power_bond;
pub mod switching;
pub mod units;

pub use exact::Exact;
pub use fault::{black_box, euler_inside, forgetful, forward_only, noisy, tolerance_inside, undefined_beside};
pub use known::{Known, Table};
pub use machine::machines;
pub use nonsmooth::{clamped_spring, fast_wave, switched_heating, switched_once};
pub use oscillators::{quarter_car_displacement, quarter_car_force, stiff_pair, two_mass, van_der_pol};
pub use populations::{three_species, three_species_components, three_species_plain_components};
pub use power_bond::{PulledMass, energy_of_power_bond, power_bond};
