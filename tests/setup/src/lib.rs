//! What `cargo xtask test` sets up for the tests, in a crate of its own so that the task does not need all that the tests need.
#![forbid(unsafe_code)]

pub mod interop;
mod selection;

pub use selection::{SELECTION, selected};
