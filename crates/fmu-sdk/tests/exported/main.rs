//! The exported functions of a model that has everything, called as an importer calls them.

#![allow(clippy::unwrap_used, reason = "tests")]

mod derivatives;
mod description;
mod environment;
mod fmi3;
mod host;
mod hostile;
mod life;
mod model;
mod states;
mod values;
