//! The functions of both versions of FMI, generic over the model; [`crate::export!`] exports them with their C names.
//!
//! All of them run behind one guard. Safety of each: the importer conforms to the version of FMI. Its pointers are NULL or valid
//! for the data that the standard specifies, and no instance is used by two threads at once.
#![allow(clippy::missing_safety_doc, reason = "stated once, above")]

pub mod fmi2;
pub mod fmi3;
mod shared;
