//! Integration of models given as `dx/dt = f(t, x, u)`: the model defines its equations, and the experiment chooses the method
//! that solves them. The methods are in the crate [`integrator`].
//!
//! Input: the right-hand side (trait [`Ode`]), the states at a communication point, and the settings that are parameters of the
//! FMU. Output: the states at the next communication point and counts of the work, or the reason of a failure. Start reading at
//! [`Integration`].

mod equations;
mod integration;
mod refusal;
#[cfg(test)]
mod tests;

pub use equations::Ode;
pub use integration::Integration;
pub use integrator::{Time, Work};
