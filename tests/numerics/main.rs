//! How accurate results are: methods, orders, error control, events, loops, meshes, and the promise of a tolerance.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod accuracy;
mod algebraic_loops;
mod coupling;
mod events;
mod golden;
mod inexact_rollback;
mod integrators;
mod known;
mod local_error;
mod loops;
mod meshes;
mod methods;
mod order;
mod promise;
mod start_time;
mod steady_state;
mod step_sizes;
mod work;
