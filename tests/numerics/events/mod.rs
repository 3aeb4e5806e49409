//! Steps end at events: where they are found, what the rows show, and what is refused.

mod accuracy;
mod ball;
mod early_return;
mod location;
mod problems;
mod two_state;

use lotka::{Memory, Report, RunError, RunFailure, System};
use tests::run;

/// Why a run fails, and how far it came.
#[track_caller]
fn failure(system: &System) -> (RunError, Report, Memory) {
    let mut rows = Memory::new();
    let RunFailure { error, report, .. } = *system.build().unwrap().run(&mut [&mut rows]).unwrap_err();
    (error, report, rows)
}

/// Times of the events.
fn times(rows: &Memory) -> Vec<f64> {
    rows.events().iter().map(|event| event.time).collect()
}

/// Largest distance between two lists of times, which are equally long.
#[track_caller]
fn distance(times: &[f64], exact: &[f64]) -> f64 {
    assert_eq!(times.len(), exact.len(), "{times:?}");
    times.iter().zip(exact).map(|(time, exact)| (time - exact).abs()).fold(0.0, f64::max)
}
