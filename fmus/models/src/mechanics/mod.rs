//! Masses on springs and dampers, each a separate FMU, for coupling by forces or by displacements.
//!
//! Start reading at [`Mass`], then [`SprungMass`] and [`SprungMassForce`]. `propagator.rs` computes the steps.

mod body;
mod mass;
mod propagator;
mod sprung;

pub use mass::Mass;
pub use sprung::{Sprung, SprungMass, SprungMassForce};
