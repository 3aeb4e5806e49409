//! Packs a built library into a `.fmu`. The content is checked before anything is written, and the same input yields the same
//! bytes.
//!
//! In a crate that is an FMU, the packer is one line in `examples/pack.rs`. Run it with `cargo run --example pack`:
//! ```text
//! fn main() -> std::process::ExitCode { fmu_package::main::<my_crate::MyModel>() }
//! ```
//! Other files for the FMU go into the crate's folder `package/` ([`Package::crate_files`]). [`Workspace::pack`] builds and
//! packs several crates of one workspace together. For a library built in another way, use a [`Package`] directly. Start
//! reading at [`Package::write_to`].
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod archive;
mod cargo;
mod check;
mod command;
mod declared;
mod documentation;
mod error;
mod folder;
mod package;
mod platform;
mod version;

pub use cargo::{Cdylib, Workspace};
pub use command::main;
pub use declared::{Declared, PackedDescription};
pub use error::{Error, Problem, Result};
pub use fmu::{GlibcVersion, Library, NotALibrary, NotAVersion};
pub use package::{Package, Packed};
pub use version::{FmiVersion, NotAnFmiVersion};
