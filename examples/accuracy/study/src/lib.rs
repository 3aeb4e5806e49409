//! The study of accuracy: what each method costs and how large its error is, on every system whose answer is known.
//!
//! A library of its own, so that the task `cargo xtask study accuracy` runs it on the system files of the examples with packed FMUs, and
//! the tests on the same systems with statically joined ones. Both get the same numbers.
//!
//! Data flow: [`Study::run`] makes every [`Method`] simulate every [`Case`] with smaller and smaller steps or tolerances and compares
//! rows with the [`Exact`] ones; [`Study::table`] and [`Study::figures`] turn the [`Measurement`]s into text. Nothing here writes files.
//! Start reading at [`Method`].
#![forbid(unsafe_code)]

mod band;
mod case;
mod error;
mod exact;
mod figures;
mod ladder;
mod measurement;
mod method;
mod run;
mod summary;
mod table;

pub use band::{Band, Errors};
pub use case::Case;
pub use error::Error;
pub use exact::Exact;
pub use measurement::{Line, Measurement, Setting};
pub use method::Method;
pub use run::{LIMIT, Results, Study};
pub use summary::Exception;
