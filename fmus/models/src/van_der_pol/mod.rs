//! The oscillator of van der Pol, split in two: start reading at [`VanDerPolVelocity`].

mod position;
mod velocity;

pub use position::VanDerPolPosition;
pub use velocity::VanDerPolVelocity;
