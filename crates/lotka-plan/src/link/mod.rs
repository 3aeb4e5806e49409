//! Connections of inputs with outputs, by indices of instances and variables.

mod connection;
mod index;
mod per_model;

pub use connection::{Link, LinkSource, SignalType, UnitConversion, VariableIndex, signal_type};
pub use index::LinkIndex;
pub use per_model::PerModel;

#[cfg(test)]
pub(crate) use index::link;
