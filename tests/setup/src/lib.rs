//! What `cargo xtask test` sets up for the tests, in a crate of its own so that the task does not need all that the tests need.
#![forbid(unsafe_code)]

pub mod interop;
mod python;
mod selection;

pub use python::PythonPackage;
pub use selection::{SELECTION, selected};
