//! The decision about the next run.

/// The next action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Next {
    /// The tolerance is met.
    Reached,
    /// The tolerance is not met, and further runs would not help.
    GiveUp(GiveUp),
}

/// The reason why the tolerance is not met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum GiveUp {
    /// The number of doStep calls exceeds the permitted one.
    Budget { calls: u64, limit: u64 },
    /// The runs do not have the orders that the method must have if trials of the FMUs are right.
    NoOrder,
    /// Rounding and noise alone may exceed the tolerance; relative.
    RoundingFloor { floor: f64 },
    /// The finest permitted mesh was run.
    LargestRefinement { subdivisions: u32 },
    /// The FMUs accept no further mesh; `meshes` were used.
    NoMesh { meshes: usize },
    /// Two runs with other steps are equal to the last bit, although the coupling has an error.
    EqualRuns,
    /// This number of runs in a row failed, each on a finer mesh.
    OnlyFailures { runs: usize },
    /// No mesh resolves what the obstacle names.
    Unresolved,
}
