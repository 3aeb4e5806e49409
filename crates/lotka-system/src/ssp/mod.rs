//! Systems of the standard System Structure and Parameterization (SSP) 1.0 and 2.0, Modelica Association (2019, 2024).
//!
//! A file becomes a tree ([`structure`], [`parameters`]) with the names of the standard; nested systems, packages and bindings
//! are [`flatten`]ed to instances, connections and start values. Step settings of other tools and of Lotka are in
//! [`annotations`]. Start reading at [`read`].

mod annotations;
mod bindings;
mod document;
mod expansion;
mod file;
mod flatten;
mod parameters;
mod read;
mod routes;
mod settings;
mod structure;
#[cfg(test)]
mod tests;
mod transformation;
mod values;
mod ways;
mod write;

pub(super) use read::read;
pub use write::Document;
