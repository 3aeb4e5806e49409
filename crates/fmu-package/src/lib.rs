//! Packs a built library into a `.fmu`: checked before anything is written, and byte for byte the same every time.
//!
//! For a crate that is an FMU, one line is the whole packer, `examples/pack.rs`, run with `cargo run --example pack`:
//! ```text
//! fn main() -> std::process::ExitCode { fmu_package::main::<my_crate::MyModel>() }
//! ```
//! What else is to be in the FMU lies in the crate's folder `package/` ([`Package::crate_files`]). Several crates of one
//! workspace are built and packed together by [`Workspace::pack`]; a library built otherwise is packed by a [`Package`] of
//! its own. Start reading at [`Package::write_to`].
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod archive;
mod cargo;
mod check;
mod command;
mod documentation;
mod error;
mod folder;
mod package;

pub use cargo::{Cdylib, Workspace};
pub use command::main;
pub use error::{Error, Problem, Result};
pub use fmu::{GlibcVersion, Library, NotALibrary, NotAVersion};
pub use package::{Declared, Package, Packed};
