//! The exported functions of a model that has everything, called as an importer calls them.

mod derivatives;
mod description;
mod host;
mod hostile;
mod life;
mod model;
mod states;
mod values;
