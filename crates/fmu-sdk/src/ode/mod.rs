//! Integration of models given as `dx/dt = f(t, x, u)`: the model says what its equations are, the experiment by which method they are
//! solved. The methods are in the crate [`integrator`].
//!
//! Data in: the right-hand side (trait [`Ode`]), the states at a communication point, the settings that are parameters of the FMU. Data
//! out: the states at the next communication point, counts of the work, or the reason why there are none. Start reading at
//! [`Integration`].

mod equations;
mod integration;
mod refusal;
#[cfg(test)]
mod tests;

pub use equations::Ode;
pub use integration::Integration;
pub use integrator::{Time, Work};
