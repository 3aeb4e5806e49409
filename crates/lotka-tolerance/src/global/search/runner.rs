//! The interface of a search: runs, and trials.

use std::{collections::HashSet, rc::Rc};

use lotka_prepare::{
    mesh::{Base, Between},
    trial::{grids::Ripple, stiffness::Locked},
};
use lotka_step::Error;

use crate::global::Run;

/// Makes runs.
pub(crate) trait Runner {
    /// Makes a run that divides every base step. Those that follow can be made at the same time.
    fn divide(&mut self, base: &Base, subdivisions: u32, following: &Following) -> Made;

    /// Makes a run on a mesh between the points of others, like those that follow. The search may end after them.
    fn between(&mut self, base: &Base, mesh: Between, following: &[Between], ending: Option<&Ending>) -> Made;

    /// Number of doStep calls so far.
    fn calls(&self) -> u64;

    /// Tries instances at places where signals of a run are not smooth; without a place, all instances.
    fn explain(&mut self, base: &Base, run: &Run, places: &[NonsmoothPoint]) -> Result<Explained, Box<Error>>;

    /// The numbers of steps per base step that the FMUs accept, if these have changed since the last call.
    fn admitted(&mut self) -> Option<Vec<u32>>;

    /// Checks, once, what instances do by themselves late in a run, before the search ends: internal steps of fixed size, or a
    /// signal that moves too fast, which is returned.
    fn look_late(&mut self, base: &Base, ending: &Ending) -> Result<Option<Ripple>, Box<Error>>;

    /// Drops all runs except those with these numbers; the best result has this estimate.
    fn keep(&mut self, used: &HashSet<usize>, estimate: Option<f64>);
}

/// The runs that follow one that divides every base step.
#[derive(Debug, Default)]
pub(crate) struct Following {
    /// Steps per base step of runs that are needed, as far as is known.
    pub(crate) runs: Vec<u32>,
    /// Whether these are needed because the result is far from the tolerance.
    pub(crate) is_far: bool,
    /// The end of the search, if it is likely.
    pub(crate) ending: Option<Ending>,
}

/// The runs that end a search.
#[derive(Debug)]
pub(crate) struct Ending {
    /// The coarsest run of the result.
    pub(crate) coarsest: Rc<Run>,
    /// Steps per base step of the coarsest run of all: enough to see what instances do by themselves.
    pub(crate) least: u32,
    /// The runs with other points that check it.
    pub(crate) checks: Vec<Between>,
}

/// The result of trials at a place where signals are not smooth.
pub(crate) enum Explained {
    Not,
    /// Everything restarts with other runs.
    ByOtherRuns,
    /// This instance switches within steps at the correct time.
    Within(usize),
    /// Two outputs follow each other so closely that only steps which resolve that are of use.
    Locked(Locked),
}

/// The outcome of a run.
pub(crate) enum Made {
    Finished(Box<Run>),
    /// It failed, which may happen with large steps: a value that an instance receives was not finite at this time \[s\], or
    /// something else.
    Failed {
        diverged_at: Option<f64>,
    },
    /// An instance ended it early, so that earlier runs have too many rows.
    Shorter,
    /// No further run can be made.
    Stopped,
}

/// A place where a signal of an instance is not smooth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NonsmoothPoint {
    pub(crate) instance: usize,
    /// Its time, and the distance of communication points there \[s\].
    pub(crate) time: f64,
    pub(crate) width: f64,
}
