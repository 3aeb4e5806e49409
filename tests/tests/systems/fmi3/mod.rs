//! Systems of FMUs of FMI 3.0: alone, beside those of FMI 2.0, and with what only they have.

mod event_models;
mod events;
mod internal_steps;
mod single;
mod structure;
mod types;
mod versions;

use lotka::{Memory, System};
use tests::run;

#[track_caller]
fn rows(system: &System) -> Memory {
    run(system).1
}

/// Why a system cannot be built, as the user reads it.
#[track_caller]
fn problems(system: &System) -> String {
    match system.build() {
        Ok(_) => panic!("the system should be refused"),
        Err(error) => error.to_string(),
    }
}
