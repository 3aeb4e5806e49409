//! `lotka run`: from the flags to a simulation, and from its end to an exit code.
//!
//! Start reading at [`run`]. The flags are in [`crate::request`]; `--try` continues in [`crate::method_comparison`].

mod estimate;
mod execute;
mod memory;

pub(crate) use execute::{Continuation, crash_report, report_failure, resume, run};
