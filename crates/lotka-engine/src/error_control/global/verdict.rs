//! What to run next.

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Next {
    /// The tolerance is kept.
    Reached,
    /// The tolerance is not kept, and further runs would not help.
    GiveUp(GiveUp),
}

/// Why the tolerance is not reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum GiveUp {
    /// So many doStep calls were made, where so many were allowed.
    Budget { calls: u64, limit: u64 },
    /// The runs do not show the orders that the method must have if trials of the FMUs are right.
    NoOrder,
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
