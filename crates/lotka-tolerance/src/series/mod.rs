//! Runs whose results are within a tolerance of the exact coupling, with evidence. The simulation is repeated on finer meshes,
//! the recorded outputs are extrapolated, and their error is estimated ([`crate::global`]).
//!
//! Start reading at [`run`]. `mesh_runner` makes the `runs` that a search requests, each with a `run_factory`, on `meshes` that
//! the FMUs accept. `recording` stores their rows, and `report` describes the error. `reliance` makes runs that rely on trial
//! steps of the FMUs. Several runs can be made at the same time, each as a `job`; `speculative_runs` are those that are likely to
//! be requested. `undeclared_events` repeats runs with steps that end where trial steps show that an FMU switches (`switches`) or
//! acts.

mod amended;
mod cheaper;
mod estimated;
mod expected;
mod flow;
mod implicit;
mod job;
mod mesh_runner;
mod meshes;
mod outcome;
mod reason;
mod recording;
mod reliance;
mod repeats;
mod report;
mod run_factory;
mod runs;
mod scan;
mod speculative_runs;
mod suggestion;
mod switches;
mod tightened;
mod undeclared_events;
mod verification;
mod whole;

pub use whole::run;
