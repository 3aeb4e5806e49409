//! From an unpacked FMU to its functions.
//!
//! [`mod@select`] finds the library, and [`elf`] ensures that the dynamic linker survives it. [`library`] loads it after
//! [`mod@usual`] has loaded libraries that programs usually contain, and [`functions`] finds its functions.

mod elf;
mod functions;
mod library;
mod linkage;
mod names;
mod select;
mod usual;

pub(crate) use elf::check as check_elf;
pub(crate) use functions::{Missing, check_answer, find, lookup};
pub(crate) use library::{libraries_with, open};
pub(crate) use linkage::Linkage;
pub(crate) use names::{file_name, is_file_name, is_library_name};
pub use select::{PLATFORM, PLATFORM_OF_FMI3};
pub(crate) use select::{platform, select};
pub(crate) use usual::load_usual;
