//! What can be found out about a system and its parts: an analysis of the coupling, probes of FMUs, manifests of runs.
//!
//! | module | answers |
//! |---|---|
//! | [`coupling`] | what the exchange of values at communication points adds, and which steps are stable |
//! | `probe` (feature `probe`) | what an FMU does when it runs |
//! | [`manifest`] | what a run is made from |
//! | [`observed_order`] | with which power of the step the error of a method falls |
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod coupling;
mod error;
pub mod manifest;
mod order;
#[cfg(feature = "probe")]
mod platform;
#[cfg(feature = "probe")]
pub mod probe;

pub use error::Error;
pub use order::{TooFewErrors, observed_order};
