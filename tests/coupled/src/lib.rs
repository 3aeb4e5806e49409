//! What tests and studies couple: systems with known solutions, FMUs with weaknesses of real ones, random families. All FMUs are
//! linked statically.

pub mod campaign;
mod joined;
pub mod systems;

pub use joined::{couple, joined, joined_fmi3, predator_prey};
