//! The `lotka` command as scripts see it: exit codes, stdout, stderr, files. Faults come from FMUs that are made on the spot.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod checkpoints;
mod comparison;
mod conversion;
mod coupling;
mod drafts;
mod explain;
mod fmu_problems;
mod graph;
mod initialization;
mod inspection;
mod interrupts;
mod manifest;
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
