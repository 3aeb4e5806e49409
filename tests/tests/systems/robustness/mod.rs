//! Systems beyond predator–prey through the master: what is exchanged, how it starts, where it steps and how it ends.

mod again;
mod concurrent;
mod determinism;
mod ends;
mod errors;
mod exchange;
mod initialization;
mod limits;
mod linked;
mod models;
mod scale;
mod steps;
mod units;

use lotka::{Error, Memory, Observer, Report, RunError, RunFailure, System};

/// Runs to the end.
fn run(system: &System) -> (Report, Memory) {
    let mut results = Memory::new();
    let report = run_with(system, &mut [&mut results]);
    (report, results)
}

fn run_with(system: &System, observers: &mut [&mut dyn Observer]) -> Report {
    system.build().unwrap().run(observers).or_else(RunFailure::accept_missed_tolerance).unwrap()
}

/// The error of a run that fails, and the rows so far.
fn failure(system: &System) -> (RunError, Memory) {
    let mut results = Memory::new();
    let failure = system.build().unwrap().run(&mut [&mut results]).unwrap_err();
    (failure.error, results)
}

/// The problems of a system that cannot be built, as the user reads them.
fn problems(system: &System) -> String {
    match system.build() {
        Err(Error::System(problems)) => problems.to_string(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the system should have been refused"),
    }
}

fn column<'a>(results: &'a Memory, name: &str) -> &'a [f64] {
    results.real(name).unwrap_or_else(|| panic!("no column {name}"))
}

fn last(results: &Memory, name: &str) -> f64 {
    *column(results, name).last().unwrap()
}
