//! An ecosystem from components that are only connected: populations, and what changes them.
//!
//! A population is the quantity across a connection, the rate at which it grows the one through it: the rates of all that is connected
//! to a population are summed. Start reading at [`Population`]. All but that one are memoryless: their outputs follow their
//! inputs at once.
//!
//! Source: M. Tiller, Modelica by Example, 2014, section on Lotka–Volterra systems built from components.

mod population;
mod predation;
mod reproduction;
mod starvation;

pub use population::Population;
pub use predation::Predation;
pub use reproduction::Reproduction;
pub use starvation::Starvation;
