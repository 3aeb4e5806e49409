//! What is known of coupled instances before a run: connections, dependencies, and the plan of a step.
//!
//! ```text
//! links + model descriptions -> Graph (components, evaluation order) -> Plan (flat arrays)
//! ```
//!
//! Instances are known by their indices, variables by those of the model description. Start reading at [`link`]; then
//! [`graph::analyze`] and [`graph::Plan`].
//!
//! | module | holds |
//! |---|---|
//! | [`link`] | connections of inputs with outputs |
//! | [`graph`] | dependencies, strongly connected components, evaluation order; the plan: flat arrays computed once |
//! | [`mod@column`] | recorded variables |
//! | [`source`] | signals known before the run, exact over every step, with their jumps and kinks |
//! | [`time`] | points by number, resolution, rounding and printing of times |
//! | [`linear`] | sparse matrices and their factors |
//!
//! Real signals are the outputs of all instances in one array. Where the inputs of an instance are an unchanged image of
//! neighboring signals (`Feed::Direct`), a step passes the slice itself; otherwise it gathers them (factor, offset, sum). Sources
//! take part as instances without inputs in description, graph and plan, after all others, but make no steps.
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod column;
pub mod graph;
pub mod linear;
pub mod link;
pub mod source;
pub mod time;
