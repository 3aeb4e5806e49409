//! The integrator study: cost and error of each integrator of the kit, on the circle and on the stiff system.
//!
//! It is a separate library with two callers. The tasks `cargo xtask study circle` and `cargo xtask study stiff` run it with
//! packed FMUs, the tests with statically linked models. Both get the same numbers.
//!
//! Data flow: [`Study::run`] simulates a [`Case`] with every integrator and every [`Setting`] and compares each row with the
//! exact solution. [`Study::table`] turns the outcomes into Markdown. Nothing here reads or writes files. Start reading at
//! [`Case`].
#![forbid(unsafe_code)]

mod case;
mod error;
mod run;
mod setting;
mod table;

pub use case::Case;
pub use error::Error;
pub use run::{Measurement, Study, Work};
pub use setting::{INTEGRATORS, Setting};
