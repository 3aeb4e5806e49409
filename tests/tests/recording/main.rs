//! What is recorded, and the files that it goes to.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod mat;
mod parquet;
mod selection;
