//! Masses on springs and dampers, each an FMU of its own, to be coupled by forces or by displacements.
//!
//! Start reading at [`Mass`], then [`SprungMass`] and [`SprungMassForce`]; steps are made by `propagator.rs`.

mod body;
mod mass;
mod propagator;
mod sprung;

pub use mass::Mass;
pub use sprung::{Sprung, SprungMass, SprungMassForce};
