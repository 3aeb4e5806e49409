//! The `lotka` command as users see it: exit codes, output, messages, faults of FMUs, and the guide that says how to use it.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod cli;
mod guide;
mod hostile_suite;
mod messages;
