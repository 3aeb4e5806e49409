//! Runs with `tolerance`, and all their results.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use lotka::{GlobalError, Memory, Report, RunFailure, System};

/// The results of a run with `tolerance`.
pub struct Verified {
    /// Counters of the runs.
    pub report: Report,
    /// The global error.
    pub global: GlobalError,
    /// The rows.
    pub rows: Memory,
}

impl Verified {
    /// Runs a system that has a tolerance, which it may miss.
    #[track_caller]
    pub fn run(system: &System) -> Self {
        let mut rows = Memory::new();
        let result = system.build().unwrap().run(&mut [&mut rows]);
        let report = result.or_else(RunFailure::accept_missed_tolerance).unwrap();
        Self { global: report.global_error.clone().unwrap(), report, rows }
    }
}
