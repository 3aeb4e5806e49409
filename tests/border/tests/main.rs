//! FMUs through the functions of C: every way to come by an instance, archives and libraries with faults, saved states.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod conformance;
mod import;
mod rollback;
