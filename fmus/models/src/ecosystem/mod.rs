//! An ecosystem assembled by connecting components: populations, and processes that change them.
//!
//! In a connection, the population is the across (potential) variable and its growth rate is the through (flow) variable.
//! The rates of all components connected to a population are summed. Start reading at [`Population`]. All other components
//! are memoryless: their outputs follow their inputs without delay.
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
