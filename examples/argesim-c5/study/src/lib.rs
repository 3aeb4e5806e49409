//! The study of ARGESIM C5: how accurate switching times are, and what they cost, with located events and without.
//!
//! A library of its own, so that `cargo xtask study argesim-c5` runs it with packed FMUs and the tests with statically joined ones, and both get
//! the same numbers.
//!
//! Data flow: [`Study::run`] simulates both [`Task`]s with every [`Plant`] and [`Setting`] and compares the switching times with the
//! reference; [`Study::table`] turns the outcomes into Markdown. Nothing here reads or writes files. Start reading at [`Setting`].
#![forbid(unsafe_code)]

mod error;
mod run;
mod setting;
mod table;
mod task;

pub use error::Error;
pub use run::{Measurement, Study};
pub use setting::{Fmus, Plant, Setting};
pub use task::{DESIRE, Task};
