//! The experiments, each a configuration of the master.

use std::path::Path;

use lotka::{Compatibility, Fmu, System};

use crate::Error;

/// The FMUs of the experiments.
#[derive(Debug, Clone)]
pub struct Fmus {
    /// Prey only.
    pub prey: Fmu,
    /// Predators only.
    pub predator: Fmu,
    /// Both, integrated together.
    pub predator_prey: Fmu,
}

impl Fmus {
    /// Names of the libraries of these FMUs.
    pub const NAMES: [&str; 3] = ["prey", "predator", "predator_prey"];

    /// Opens `prey.fmu`, `predator.fmu` and `predator_prey.fmu` in a folder.
    ///
    /// # Errors
    /// One of them cannot be loaded.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let [prey, predator, predator_prey] = Self::NAMES.map(|name| Fmu::open(folder.join(name).with_extension("fmu")));
        Ok(Self { prey: prey?, predator: predator?, predator_prey: predator_prey? })
    }
}

/// A way to simulate prey and predators, starting with 10 of each, until t = 100 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Experiment {
    /// One FMU with both equations, h = 0.1 s.
    Coupled,
    /// Gauss–Seidel, prey first, h = 0.1 s.
    TenthSecond,
    /// The same with h = 0.5 s.
    HalfSecond,
    /// h = 0.5 s, iterated until values change by less than 1e-7.
    HalfSecondIterated,
    /// Gauss–Seidel with h = 2 s.
    TwoSeconds,
    /// h = 2 s, iterated until values change by less than 1e-7.
    TwoSecondsIterated,
    /// Step doubling with the formulas of MasterSim, local tolerance 1e-6.
    MasterSim,
    /// The same with at most five iterations per step.
    MasterSimIterated,
    /// Lotka's own step doubling, local tolerance 1e-6.
    Controlled,
}

/// Relative and absolute local tolerance of the experiments with error control.
pub const LOCAL_TOLERANCE: f64 = 1e-6;

/// Relative and absolute change at which an iteration with fixed steps has converged.
const ITERATION_TOLERANCE: f64 = 1e-7;

/// Sufficient for convergence at h = 2 s.
const ITERATION_LIMIT: u32 = 200;

impl Experiment {
    /// All experiments, in the order of the table.
    pub const ALL: [Self; 9] = [
        Self::Coupled,
        Self::TenthSecond,
        Self::HalfSecond,
        Self::HalfSecondIterated,
        Self::TwoSeconds,
        Self::TwoSecondsIterated,
        Self::MasterSim,
        Self::MasterSimIterated,
        Self::Controlled,
    ];

    /// Returns the section of Nicolai (2018) that describes the experiment.
    pub fn section(self) -> &'static str {
        match self {
            Self::Coupled => "1.4",
            Self::TenthSecond => "3.1",
            Self::HalfSecond | Self::HalfSecondIterated | Self::TwoSeconds | Self::TwoSecondsIterated => "3.2",
            Self::MasterSim | Self::MasterSimIterated => "4",
            Self::Controlled => "–",
        }
    }

    /// Returns a short description of the method.
    pub fn method(self) -> &'static str {
        match self {
            Self::Coupled => "one FMU for both equations, h = 0.1 s",
            Self::TenthSecond => "Gauss–Seidel, h = 0.1 s",
            Self::HalfSecond => "Gauss–Seidel, h = 0.5 s",
            Self::HalfSecondIterated => "iterated Gauss–Seidel, h = 0.5 s",
            Self::TwoSeconds => "Gauss–Seidel, h = 2 s",
            Self::TwoSecondsIterated => "iterated Gauss–Seidel, h = 2 s",
            Self::MasterSim => "MasterSim's step doubling at 1e-6",
            Self::MasterSimIterated => "MasterSim's step doubling at 1e-6, iterated",
            Self::Controlled => "Lotka's own step doubling at 1e-6",
        }
    }

    /// Returns the recorded variables for prey and predators.
    pub fn variables(self) -> [&'static str; 2] {
        if self == Self::Coupled { ["both.x", "both.y"] } else { ["prey.x", "predator.y"] }
    }

    /// Returns the system, ready to build.
    pub fn system(self, fmus: &Fmus) -> System {
        let pair = || couple(fmus).stop(100.0);
        let iterated = |system: System| system.iterations(ITERATION_LIMIT, Some(ITERATION_TOLERANCE));
        let master_sim = || pair().local_tolerance(LOCAL_TOLERANCE).compatibility(Compatibility::MasterSim);
        match self {
            Self::Coupled => System::new().instance_of("both", &fmus.predator_prey).stop(100.0).step(0.1),
            Self::TenthSecond => pair().step(0.1),
            Self::HalfSecond => pair().step(0.5),
            Self::HalfSecondIterated => iterated(pair().step(0.5)),
            Self::TwoSeconds => pair().step(2.0),
            Self::TwoSecondsIterated => iterated(pair().step(2.0)),
            Self::MasterSim => master_sim(),
            Self::MasterSimIterated => master_sim().iterations(5, None),
            Self::Controlled => pair().local_tolerance(LOCAL_TOLERANCE),
        }
    }
}

/// Couples prey and predators in a cycle; prey steps first.
fn couple(fmus: &Fmus) -> System {
    System::new()
        .instance_of("prey", &fmus.prey)
        .instance_of("predator", &fmus.predator)
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x")
        .sweep("gauss-seidel")
}
