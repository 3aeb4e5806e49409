//! The study of the predator–prey system: experiments with the FMUs, known numbers to hold them against, figures.
//!
//! A library of its own, so that the task `cargo xtask study predator-prey` runs it with packed FMUs and the tests with statically
//! joined ones, and both get the same numbers.
//!
//! Data flow: [`Study::run`] runs every [`Experiment`] and compares each row with the exact solution ([`Reference`]);
//! [`Study::figures`] and [`Study::table`] turn the outcomes into text. Nothing here reads or writes files but [`Fmus::open`].
//! Start reading at [`Experiment`].
#![forbid(unsafe_code)]

mod error;
mod experiment;
mod figures;
mod known;
mod outcome;
mod published;
mod reference;
mod run;
mod table;

pub use error::Error;
pub use experiment::{Experiment, Fmus, LOCAL_TOLERANCE};
pub use figures::overview;
pub use known::{KNOWN, Known, Quantity};
pub use outcome::{Outcome, Trajectory};
pub use published::{Published, SERIES};
pub use reference::{Reference, largest};
pub use run::Study;
