//! From an unpacked FMU to its functions.
//!
//! [`mod@select`] finds the library, and [`elf`] ensures that the dynamic linker survives it. [`library`] loads it after
//! [`mod@usual`] has loaded libraries that programs usually contain, and [`mod@capabilities`] determines which capabilities its functions support.

mod capabilities;
mod elf;
mod library;
mod select;
mod usual;

pub(crate) use capabilities::capabilities;
pub(crate) use elf::check as check_elf;
pub(crate) use library::load;
pub use select::PLATFORM;
pub(crate) use select::{is_file_name, is_library_name, select};
pub(crate) use usual::load_usual;
