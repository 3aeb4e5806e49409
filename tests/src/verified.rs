//! Runs with `tolerance`, with all that comes of them.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use lotka::{GlobalError, Memory, Report, System};

/// A run with `tolerance`.
pub struct Verified {
    /// What the runs took.
    pub report: Report,
    /// What is known of the error.
    pub global: GlobalError,
    /// The results.
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
