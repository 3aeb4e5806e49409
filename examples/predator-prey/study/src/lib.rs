//! The predator–prey study: experiments with the FMUs, comparison with reference numbers, and figures.
//!
//! It is a separate library with two callers. The task `cargo xtask study predator-prey` runs it with packed FMUs, the tests
//! with statically linked models. Both get the same numbers.
//!
//! Data flow: [`Study::run`] runs every [`Experiment`] and compares each row with the exact solution ([`Reference`]).
//! [`Study::figures`] and [`Study::table`] turn the outcomes into text. Only [`Fmus::open`] reads files; nothing writes any.
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
