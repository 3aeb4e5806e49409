//! Support for tests across crates: systems with known answers, FMUs with faults, tools of others, the checks that every
//! implementation of an instance passes.

mod command;
pub mod conformance;
mod fmus;
pub mod hostile;
mod hosts;
pub mod interop;
pub mod systems;

/// The Rust of the README is compiled and its FMU exported.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

pub use command::lotka;
pub use fmus::{archive_of, couple, joined, packed, predator_prey};
pub use hosts::{host_program, hosted};
