//! FMUs as this project loads them: in this process and in others, sound, with habits, with faults.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod conformance;
mod import;
mod isolation;
mod life;
mod quirks;
mod resources;
mod rollback;
