//! Whole systems: what is exchanged, recorded and continued; the examples, the studies and the notions of co-simulation.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod checkpoints;
mod ecosystem;
mod examples;
mod fmi3;
mod manifest;
mod orchestration;
mod recording;
mod robustness;
mod sampling;
mod sessions;
mod sources;
mod study;
mod sweeps;
