//! The manifest of a run: who ran what, with which files and settings, and how it ended.
//!
//! Files and settings come from the library ([`lotka::Manifest`]); this module adds what only the command knows.

mod document;
mod reading;
mod surroundings;

pub(crate) use document::{Manifest, complete, lost};
pub(crate) use reading::{is_manifest, read};
