//! FMUs in processes of their own.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod sandbox;
