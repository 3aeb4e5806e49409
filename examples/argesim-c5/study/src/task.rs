//! The tasks and their reference solutions.

use std::io::Cursor;

use lotka::Results;

/// Switching times of task a computed by SAMT/DESIRE without a state event algorithm \[s\].
///
/// G. Höfinger, F. Breitenecker, A Numerical Solution to ARGESIM Comparison C5 'Two State Model' with SAMT/DESIRE, TU Vienna.
pub const DESIRE: [f64; 5] = [1.10833, 2.12972, 3.05421, 4.0756, 5.00009];

/// A task. Tasks a and b use the same system; task b asks for higher accuracy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Five switches.
    A,
    /// 62 switches.
    C,
}

impl Task {
    /// Returns the start values of the switch that differ from its defaults.
    pub(crate) fn start_values(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::A => &[],
            Self::C => &[("c2_2", -1.25), ("c4_2", 4.33), ("lower", 4.1)],
        }
    }

    /// Returns the exact switching times \[s\]: the closed form of the linear pieces in 40-digit arithmetic.
    pub fn reference(self) -> Vec<f64> {
        let text = match self {
            Self::A => include_str!("../../../../tests/reference/argesim_c5_task_a.csv"),
            Self::C => include_str!("../../../../tests/reference/argesim_c5_task_c.csv"),
        };
        let results = Results::read(Cursor::new(text)).map(|results| results.time().to_vec());
        // The last row is the stop time. The table is embedded in the program; tests check that it can be read.
        results.unwrap_or_default().split_last().map_or_else(Vec::new, |(_, switches)| switches.to_vec())
    }
}
