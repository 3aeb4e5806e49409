//! The systems are what they say, and what they are compared with is exact.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod campaign;
mod exact;
mod systems;
