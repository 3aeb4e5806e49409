//! Support for tests across crates: FMUs with faults, tools of others.

pub mod hostile;
pub mod interop;
mod predator_prey;

pub use predator_prey::{joined, predator_prey};
