//! From an unpacked FMU to its functions.
//!
//! [`mod@select`] finds the library, [`elf`] makes sure that the dynamic linker survives it, [`library`] loads it when
//! [`mod@usual`] has loaded what programs bring along, and [`mod@capabilities`] tells what the FMU can do with the functions that it has.

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
