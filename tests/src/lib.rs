//! Support for tests across crates: FMUs with faults, tools of others, the checks that every implementation of an instance passes.

pub mod conformance;
pub mod hostile;
pub mod interop;
mod predator_prey;

pub use predator_prey::{joined, predator_prey};
