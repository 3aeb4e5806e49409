//! `modelDescription.xml` of FMI 3.0: what is accepted, what is rejected and why, and that writing loses nothing.
#![allow(clippy::unwrap_used, reason = "tests")]

mod rich;
