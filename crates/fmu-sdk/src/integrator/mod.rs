//! Integrators: a model given as `dx/dt = f(t, x, u)` says what its equations are, the experiment says by which method they are solved.
//!
//! Data in: the right-hand side (trait [`Ode`]), the states at a communication point, the settings that are parameters of the FMU. Data
//! out: the states at the next communication point, counts of the work, or the reason why there are none. Start reading at
//! [`Integration`]; a method is a file, a line in the registry, and a row in the order test.

mod adams_bashforth_2;
mod adams_bashforth_3;
mod adams_bashforth_4;
#[cfg(feature = "stiff")]
mod esdirk34;
mod euler;
mod failure;
mod grid;
mod heun;
mod integration;
mod method;
mod midpoint;
mod milne;
mod modified_euler;
mod multistep;
mod ode;
#[cfg(test)]
mod order;
mod problem;
mod registry;
mod rk4;
mod rkf45;
mod runge_kutta;
#[cfg(feature = "stiff")]
mod sdirk;
mod step_control;
#[cfg(feature = "stiff")]
mod tr_bdf2;
mod work;

pub use integration::Integration;
pub use ode::{Ode, Time};
pub use work::Work;
