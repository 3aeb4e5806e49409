//! Runs with `tolerance`, and all their results.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use lotka::{GlobalError, Memory, Report, System};

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
    /// Runs a system that has a tolerance.
    #[track_caller]
    pub fn run(system: &System) -> Self {
        let mut rows = Memory::new();
        let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
        Self { global: report.global_error.clone().unwrap(), report, rows }
    }
}
