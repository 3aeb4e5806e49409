//! The van der Pol oscillator, split in two models. Start reading at [`VanDerPolVelocity`].

mod position;
mod velocity;

pub use position::VanDerPolPosition;
pub use velocity::VanDerPolVelocity;
