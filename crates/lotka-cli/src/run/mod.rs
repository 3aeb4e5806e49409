//! `lotka run`: from the flags to a simulation, and from its end to an exit code.
//!
//! Start reading at [`run`]; `--try` goes on in [`crate::method_comparison`].

mod arguments;
mod estimate;
mod execute;
mod flags;
mod memory;
mod outcome;
mod places;
mod subject;

pub(crate) use arguments::Arguments;
pub(crate) use estimate::RoughError;
pub(crate) use execute::{Continuation, crash_report, resume, run, tell_failure};
pub(crate) use outcome::Outcome;
