//! The turns of master and host, in every order of their loads and stores.
//!
//! The file is that of `lotka-host`; `futex` is its seam: atomics that loom follows, and a wait without a time limit. A wake-up
//! that is lost leaves a thread that waits forever, which loom reports.

#[cfg(test)]
mod futex;
#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "../../../crates/lotka-host/src/protocol/turn.rs"]
mod turn;
