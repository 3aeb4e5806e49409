//! How accurate the methods are: orders of convergence on systems with known answers, and of the error estimator.
//!
//! Start reading at `methods.rs`, where each row is a method with its order. `chains.rs` has powers of errors beyond the order,
//! `cases.rs` the systems.

mod cases;
mod chains;
mod local_error;
mod methods;
