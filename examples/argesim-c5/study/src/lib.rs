//! The ARGESIM C5 study: accuracy and cost of switching times, with and without event localization.
//!
//! It is a separate library with two callers. The task `cargo xtask study argesim-c5` runs it with packed FMUs, the tests with
//! statically linked models. Both get the same numbers.
//!
//! Data flow: [`Study::run`] simulates both [`Task`]s with every [`Plant`] and [`Setting`] and compares the switching times with
//! the reference. [`Study::table`] turns the outcomes into Markdown. Nothing here reads or writes files. Start reading at
//! [`Setting`].
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
