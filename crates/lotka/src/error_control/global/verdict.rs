//! What to run next.

use super::Extrapolation;

/// Usable runs over which the estimate must halve.
const PATIENCE: usize = 10;

/// What counts as half, with room for rounding.
const HALF: f64 = 0.55;

/// Failed runs in a row after which no further one is made.
const FAILURES: usize = 6;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Next {
    /// The tolerance is kept.
    Reached,
    /// Run with so many steps per step of the base mesh.
    Run(u32),
    /// The tolerance is not kept, and further runs would not help.
    GiveUp(GiveUp),
}

/// Why the tolerance is not reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum GiveUp {
    /// Over the last ten runs the best estimate did not halve.
    Stagnation,
    /// Rounding and noise alone may exceed the tolerance; relative.
    RoundingFloor { floor: f64 },
    /// The finest mesh allowed was run.
    LargestRefinement { subdivisions: u32 },
    /// The FMUs bear no further mesh; so many were used.
    NoMesh { meshes: usize },
    /// Two runs with other steps are equal to the last bit, although coupling has an error.
    EqualRuns,
    /// So many runs in a row failed, each on a finer mesh.
    OnlyFailures { runs: usize },
}

/// The estimates of the runs so far.
#[derive(Debug, Default)]
pub(crate) struct History {
    estimates: Vec<f64>,
    failures: usize,
}

impl History {
    pub(crate) fn usable(&mut self, result: &Extrapolation) {
        self.failures = 0;
        if result.largest.is_finite() {
            self.estimates.push(result.largest);
        }
    }

    pub(crate) fn failed(&mut self) {
        self.failures += 1;
    }

    /// Forgets estimates that rest on runs found to be too coarse.
    pub(crate) fn forget(&mut self) {
        self.estimates.clear();
    }

    /// That the last runs failed.
    pub(crate) fn only_failures(&self) -> GiveUp {
        GiveUp::OnlyFailures { runs: self.failures }
    }

    /// Why no further run is worth while, if so.
    pub(crate) fn give_up(&self) -> Option<GiveUp> {
        let (before, last) = self.estimates.split_at(self.estimates.len().saturating_sub(PATIENCE));
        let least = |estimates: &[f64]| estimates.iter().copied().fold(f64::INFINITY, f64::min);
        if self.failures >= FAILURES {
            return Some(self.only_failures());
        }
        (!before.is_empty() && least(last) > HALF * least(before)).then_some(GiveUp::Stagnation)
    }
}
