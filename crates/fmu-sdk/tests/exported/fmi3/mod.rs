//! The functions of FMI 3.0, called as an importer calls them.

mod derivatives;
mod description;
mod events;
mod host;
mod hostile;
mod inputs;
mod life;
mod states;
mod structure;
mod types;
mod values;
