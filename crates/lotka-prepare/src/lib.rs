//! What is done with coupled instances before their first step, and what trial steps show of them.
//!
//! ```text
//! initialization in dependency order -> loops by Newton's method -> steady states -> trial steps -> first step
//! ```
//!
//! Model descriptions leave out much that a method relies on: whether outputs follow inputs at once, how exact a rollback is,
//! where an instance switches, in which steps it advances. [`trial`] measures it: each trial saves the state of an instance,
//! takes a few steps, and returns to it. Start reading at [`initialize`] and [`trial::ResolvedInputs`].
//!
//! | module | holds |
//! |---|---|
//! | [`initialize`] | initialization in dependency order, loops by Newton's method, steady states |
//! | [`trial`] | feedthrough, noise of rollback, switches, internal steps, stiffness |
//! | [`mesh`] | the points of a run: a base mesh, its refinement, and the signals that it must resolve |
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod initialize;
pub mod mesh;
pub mod trial;
