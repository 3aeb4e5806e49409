//! The study of integrators: what each integrator of the kit costs and how large its error is, on the circle and on the stiff system.
//!
//! A library of its own, so that the tasks `cargo xtask study circle` and `cargo xtask study stiff` run it with packed FMUs and the tests with
//! statically joined ones, and both get the same numbers.
//!
//! Data flow: [`Study::run`] simulates a [`Case`] with every integrator and every [`Setting`] and compares each row with the exact
//! solution; [`Study::table`] turns the outcomes into Markdown. Nothing here reads or writes files. Start reading at [`Case`].
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
