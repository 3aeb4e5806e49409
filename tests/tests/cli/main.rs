//! The `lotka` command as scripts see it: exit codes, stdout, stderr, files. Faults come from FMUs that are made on the spot.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod alone;
mod checkpoints;
mod comparison;
mod compile;
mod conversion;
mod coupling;
mod drafts;
mod explain;
mod flags;
mod fmu_problems;
mod front_ends;
mod graph;
mod hosts;
mod initialization;
mod inspection;
mod interrupts;
mod libraries;
mod manifest;
mod not_finite;
mod output;
mod pages;
mod probes;
mod recording;
mod report;
mod runs;
mod sandbox;
mod sources;
mod step_problems;
mod supervision;
mod support;
mod system_problems;
mod telling;
mod tolerance;
mod trials;
mod watch;
