//! Runs with their rows, and the bitwise comparison of these.

use lotka::{Memory, Report, RunFailure, System};

/// Runs a system to its end. Returns the rows, too.
///
/// # Panics
/// Panics if the system cannot be built, or the run fails.
#[track_caller]
pub fn run(system: &System) -> (Report, Memory) {
    let mut rows = Memory::new();
    let report = system.build().expect("the system fits").run(&mut [&mut rows]);
    let report = report.or_else(RunFailure::accept_missed_tolerance).expect("the run ends well, or misses its tolerance");
    (report, rows)
}

/// Returns the bit patterns of all times and numbers, column by column.
#[must_use]
pub fn bits(rows: &Memory) -> Vec<u64> {
    let columns = rows.columns().iter().filter_map(|column| rows.real(&column.name));
    std::iter::once(rows.time()).chain(columns).flatten().map(|value| value.to_bits()).collect()
}
