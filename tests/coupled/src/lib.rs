//! What tests and studies couple: systems with known solutions, FMUs with weaknesses of real ones, random families. All FMUs are
//! linked statically.

pub mod campaign;
mod predator_prey;
pub mod systems;

pub use border::{joined, joined_fmi3};
pub use predator_prey::{couple, predator_prey};
