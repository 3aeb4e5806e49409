//! What is around the master: `lotka check` and the tools of others, packing, new FMUs, the floors of the crates.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod checks;
mod circles;
mod descriptions;
mod dist;
mod floors;
mod interop;
mod new_fmu;
mod package;
mod schema;
mod validators;
