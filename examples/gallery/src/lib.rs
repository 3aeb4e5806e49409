//! Runs every example, compares it with its expected numbers, draws its picture, and writes one page about all of them.
//!
//! It is a separate library, so that the task `cargo xtask demo --all` and the tests run the same code. An example is a folder
//! with `system.toml` and variants of it, `README.md` and `expected.toml`. No example is hard-coded here.
//!
//! Data flow: [`Example::all`] reads the folders, [`Example::run`] returns an [`Outcome`] per system file, and [`picture`] and
//! [`Page`] turn them into text. Nothing here writes files. The studies use [`chart`], too. Start reading at [`Example`].
#![forbid(unsafe_code)]

pub mod chart;
mod check;
mod counter;
mod error;
mod example;
mod expected;
mod outcome;
mod page;
mod picture;
mod prose;

pub use check::Check;
pub use counter::Counter;
pub use error::Error;
pub use example::{Example, packed_name, system_file};
pub use expected::{Count, Expected, Panel, PictureSettings, Value};
pub use outcome::{Outcome, Ran};
pub use page::{Page, Shown};
pub use picture::picture;

/// A picture to be written to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// File name.
    pub name: String,
    /// The SVG text.
    pub svg: String,
}
