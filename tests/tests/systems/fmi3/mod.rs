//! Systems of FMUs of FMI 3.0: alone, beside those of FMI 2.0, and with what only they have.

mod event_models;
mod events;
mod internal_steps;
mod single;
mod structure;
mod types;
mod versions;
