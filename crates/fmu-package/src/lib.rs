//! Packs a built library into a `.fmu`: checked before anything is written, and byte for byte the same every time.
//!
//! For a crate that is an FMU, one line is the whole packer, `src/bin/pack.rs`:
//! ```text
//! fn main() -> std::process::ExitCode { fmu_package::main::<my_crate::MyModel>() }
//! ```
#![forbid(unsafe_code)]

mod archive;
mod cargo;
mod check;
mod documentation;
mod error;
mod folder;
mod library;
mod package;

pub use cargo::{Cdylib, Workspace};
pub use error::{Error, Problem, Result};
pub use library::{GlibcVersion, Library, NotALibrary};
pub use package::{Package, Packed};
