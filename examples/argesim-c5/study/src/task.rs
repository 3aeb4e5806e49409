//! The tasks with their reference.

use std::io::Cursor;

use lotka::Results;

/// Switching times of task a as SAMT/DESIRE found them, without a state event algorithm \[s\].
///
/// G. Höfinger, F. Breitenecker, A Numerical Solution to ARGESIM Comparison C5 'Two State Model' with SAMT/DESIRE, TU Vienna.
pub const DESIRE: [f64; 5] = [1.10833, 2.12972, 3.05421, 4.0756, 5.00009];

/// Tasks a and b are the same system; task b asks for accuracy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Five switches.
    A,
    /// 62 switches.
    C,
}

impl Task {
    /// Start values of the switch that differ from its own.
    pub(crate) fn start_values(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::A => &[],
            Self::C => &[("c2_2", -1.25), ("c4_2", 4.33), ("lower", 4.1)],
        }
    }

    /// Exact switching times \[s\]: the closed form of the linear pieces in 40-digit arithmetic.
    pub fn reference(self) -> Vec<f64> {
        let text = match self {
            Self::A => include_str!("../../../../tests/reference/argesim_c5_task_a.csv"),
            Self::C => include_str!("../../../../tests/reference/argesim_c5_task_c.csv"),
        };
        let results = Results::read(Cursor::new(text)).map(|results| results.time().to_vec());
        // The last row is the end. Tests see that the table, which is part of the program, can be read.
        results.unwrap_or_default().split_last().map_or_else(Vec::new, |(_, switches)| switches.to_vec())
    }
}
