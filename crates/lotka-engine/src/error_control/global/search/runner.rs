//! What a search asks for: runs, and trials.

use std::collections::HashSet;

use super::super::{Base, Run, base::Between};
use crate::Error;

/// Makes runs.
pub(crate) trait Runner {
    /// A run that divides every base step; `then` is likely to follow, and can be made at the same time.
    fn divide(&mut self, base: &Base, subdivisions: u32, then: Option<u32>) -> Made;

    /// A run on a mesh between the points of others.
    fn between(&mut self, base: &Base, mesh: Between) -> Made;

    /// doStep calls so far.
    fn calls(&self) -> u64;

    /// Tries instances at places where signals of a run are not smooth.
    fn explain(&mut self, base: &Base, run: &Run, places: &[Place]) -> Result<Explained, Box<Error>>;

    /// The numbers of steps per base step that the FMUs bear, if that has become known since this was asked.
    fn admitted(&mut self) -> Option<Vec<u32>>;

    /// Looks, once, whether instances advance in steps of their own late in a run.
    fn look_late(&mut self, base: &Base, subdivisions: u32) -> Result<(), Box<Error>>;

    /// The runs with these numbers are no longer of use, all others are; the best result has this estimate.
    fn keep(&mut self, used: &HashSet<usize>, estimate: Option<f64>);
}

/// What trials say of a place where signals are not smooth.
pub(crate) enum Explained {
    Not,
    /// All begins anew with other runs.
    ByOtherRuns,
    /// This instance switches within steps, whenever it is true.
    Within(usize),
}

/// What became of a run.
pub(crate) enum Made {
    Finished(Box<Run>),
    /// It failed, as may be where steps are large.
    Failed,
    /// An instance ended it early, so that the runs before have rows too many.
    Shorter,
    /// No further run can be made.
    Stopped,
}

/// Where a signal of an instance is not smooth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub(crate) instance: usize,
    /// When, and the distance of communication points there \[s\].
    pub(crate) time: f64,
    pub(crate) width: f64,
}
