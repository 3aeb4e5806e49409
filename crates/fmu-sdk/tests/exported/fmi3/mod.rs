//! The functions of FMI 3.0, called as an importer calls them.

mod derivatives;
mod description;
mod host;
mod hostile;
mod inputs;
mod life;
mod states;
mod types;
mod values;
