//! FMUs as this project loads them: in this process and in others, sound and with habits.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod isolation;
mod life;
mod quirks;
mod resources;
