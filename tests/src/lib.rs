//! Support for tests across crates: FMUs with faults, tools of others.

pub mod hostile;
