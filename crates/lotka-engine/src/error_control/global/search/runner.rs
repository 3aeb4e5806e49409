//! The interface of a search: runs, and trials.

use std::collections::HashSet;

use super::super::{Base, Run, base::Between};
use crate::Error;

/// Makes runs.
pub(crate) trait Runner {
    /// Makes a run that divides every base step; `then` is likely to follow, and can be made concurrently.
    fn divide(&mut self, base: &Base, subdivisions: u32, then: Option<u32>) -> Made;

    /// Makes a run on a mesh between the points of others.
    fn between(&mut self, base: &Base, mesh: Between) -> Made;

    /// Number of doStep calls so far.
    fn calls(&self) -> u64;

    /// Tries instances at places where signals of a run are not smooth.
    fn explain(&mut self, base: &Base, run: &Run, places: &[Place]) -> Result<Explained, Box<Error>>;

    /// The numbers of steps per base step that the FMUs accept, if these have changed since the last call.
    fn admitted(&mut self) -> Option<Vec<u32>>;

    /// Checks, once, whether instances make internal steps of fixed size late in a run.
    fn check_late_grids(&mut self, base: &Base, subdivisions: u32) -> Result<(), Box<Error>>;

    /// Drops all runs except those with these numbers; the best result has this estimate.
    fn keep(&mut self, used: &HashSet<usize>, estimate: Option<f64>);
}

/// The result of trials at a place where signals are not smooth.
pub(crate) enum Explained {
    Not,
    /// Everything restarts with other runs.
    ByOtherRuns,
    /// This instance switches within steps at the correct time.
    Within(usize),
}

/// The outcome of a run.
pub(crate) enum Made {
    Finished(Box<Run>),
    /// It failed, which may happen with large steps.
    Failed,
    /// An instance ended it early, so that earlier runs have too many rows.
    Shorter,
    /// No further run can be made.
    Stopped,
}

/// A place where a signal of an instance is not smooth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub(crate) instance: usize,
    /// Its time, and the distance of communication points there \[s\].
    pub(crate) time: f64,
    pub(crate) width: f64,
}
