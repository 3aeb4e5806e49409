//! The parts of FMI 3.0 co-simulation that importers and FMUs share, without `unsafe` code.
//!
//! - [`ffi`]: the C types and the 75 function types;
//! - [`Function`]: the call table of the standard;
//! - [`description`]: reads, checks and writes `modelDescription.xml`.
//!
//! Start reading at [`ModelDescription`]. Source of all rules: Functional Mock-up Interface Specification, version 3.0.2,
//! Modelica Association (2024).
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod call_table;
pub mod description;
pub mod ffi;

pub use call_table::Function;
pub use description::{ModelDescription, Problem, Problems, Reading, Severity, Strictness};
