//! Which meshes a run with `tolerance` may use, and which rows belong to its result.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod apart;
mod inner;
mod rows;
