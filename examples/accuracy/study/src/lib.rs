//! The accuracy study: cost and error of each method on every system with a known solution.
//!
//! It is a separate library with two callers. The task `cargo xtask study accuracy` runs it on the system files of the examples
//! with packed FMUs; the tests run it on the same systems with statically linked models. Both get the same numbers.
//!
//! Data flow: [`Study::run`] simulates every [`Case`] with every [`Method`] with decreasing steps or tolerances and compares
//! the rows with the [`Exact`] ones. [`Study::table`] and [`Study::figures`] turn the [`Measurement`]s into text. Nothing here
//! writes files. Start reading at [`Method`].
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
