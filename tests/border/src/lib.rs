//! What tests load through the functions of C: FMUs of the project, linked statically, packed, or in processes of their own, and
//! FMUs with faults. It needs nothing that couples them, so that the tools that look for memory errors build little.

pub mod c_library;
mod fmus;
pub mod hostile;
mod hosts;
mod joined;
pub mod patience;

pub use fmus::{archive_of, packed, packed_for_tests};
pub use hosts::{host_program, hosted};
pub use joined::{joined, joined_fmi3};
