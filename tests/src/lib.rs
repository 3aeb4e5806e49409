//! Support for tests across crates: systems with known solutions, faulty FMUs, FMUs with habits of other tools, and third-party
//! tools.

mod command;
pub mod lean;
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

pub use border::{archive_of, host_program, hosted, hostile, joined, joined_fmi3, packed, packed_for_tests, patience};
pub use command::{lotka, program};
pub use coupled::{campaign, couple, predator_prey, systems};
pub use rows::{bits, run};
pub use scratch::{Scratch, enter_scratch_folder, root};
pub use test_setup::{interop, selected};
