//! Runs every example against the numbers it is expected to give, draws its picture, and writes one page of all of them.
//!
//! A library of its own, so that the task `cargo xtask demo --all` and the tests do the same. An example is a folder with `system.toml` and
//! variants of it, `README.md` and `expected.toml`; nothing in here knows one of them by name.
//!
//! Data flow: [`Example::all`] reads the folders, [`Example::run`] gives an [`Outcome`] per system file, [`picture`] and [`Page`] make text of
//! them. Nothing in here writes files. [`chart`] draws; the studies use it, too. Start reading at [`Example`].
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
pub use example::{Example, system_file};
pub use expected::{Count, Expected, Panel, PictureSettings, Value};
pub use outcome::{Outcome, Ran};
pub use page::{Page, Shown};
pub use picture::picture;

/// A picture for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Name of the file.
    pub name: String,
    /// The drawing.
    pub svg: String,
}
