//! Support for tests across crates: systems with known solutions, faulty FMUs, FMUs with habits of other tools, third-party
//! tools, and the checks that every implementation of an instance passes.

mod c_library;
mod command;
mod fmus;
pub mod hostile;
mod hosts;
pub mod lean;
pub mod patience;
pub mod quirks;
mod rows;
mod scratch;
pub mod shells;
pub mod table;
pub mod verified;

/// Compiles the Rust blocks of the documentation pages, and runs those not marked `no_run`. For other blocks, see
/// `tests/tests/command/guide`.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/library.md")]
    pub struct Library;
    #[doc = include_str!("../../docs/sessions.md")]
    pub struct Sessions;
    #[doc = include_str!("../../docs/sweeps.md")]
    pub struct Sweeps;
}

pub use command::{lotka, program};
pub use coupled::{campaign, couple, joined, joined_fmi3, predator_prey, systems};
pub use fmus::{archive_of, packed, packed_for_tests};
pub use hosts::{host_program, hosted};
pub use rows::{bits, run};
pub use scratch::{Scratch, enter_scratch_folder, root};
pub use test_setup::{interop, selected};
