//! Reference numbers from other sources.

use crate::{Experiment, Outcome};

/// A counted or measured quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Accepted steps.
    Steps,
    /// doStep calls of all FMUs.
    DoStepCalls,
    /// Prey at t = 100 s.
    Prey,
    /// Predators at t = 100 s.
    Predators,
    /// Largest relative error.
    LargestError,
}

impl Quantity {
    /// Returns its value in an outcome.
    pub fn of(self, outcome: &Outcome) -> f64 {
        match self {
            Self::Steps => outcome.report.counters.n_steps as f64,
            Self::DoStepCalls => outcome.report.counters.n_do_step_calls as f64,
            Self::Prey => outcome.trajectory.end()[0],
            Self::Predators => outcome.trajectory.end()[1],
            Self::LargestError => outcome.largest_error(),
        }
    }
}

/// A reference number for an experiment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Known {
    /// The experiment.
    pub experiment: Experiment,
    /// The quantity.
    pub quantity: Quantity,
    /// The number.
    pub value: f64,
    /// Relative tolerance, given by the number of digits or by differences between the programs.
    pub tolerance: f64,
    /// Source of the number.
    pub source: &'static str,
}

const fn known(experiment: Experiment, quantity: Quantity, value: f64, tolerance: f64, source: &'static str) -> Known {
    Known { experiment, quantity, value, tolerance, source }
}

const FORMULAS: &str = "the formulas, computed apart from this project";
const MASTER_SIM: &str = "MasterSim 0.9.8, measured";

/// All reference numbers, in the order of the experiments.
pub const KNOWN: [Known; 16] = [
    known(Experiment::Coupled, Quantity::Prey, 25.681_746_294_220_527, 1e-12, "`lotka_volterra.csv`"),
    known(Experiment::Coupled, Quantity::Predators, 15.312_623_828_511_504, 1e-12, "`lotka_volterra.csv`"),
    known(Experiment::TenthSecond, Quantity::Prey, 26.475_697_229_0, 1e-11, FORMULAS),
    known(Experiment::TenthSecond, Quantity::Predators, 15.209_108_484_7, 1e-11, FORMULAS),
    known(Experiment::TenthSecond, Quantity::LargestError, 3.7e-2, 0.02, FORMULAS),
    known(Experiment::HalfSecond, Quantity::LargestError, 0.17, 0.03, FORMULAS),
    known(Experiment::HalfSecondIterated, Quantity::Prey, 16.424_496, 5e-8, FORMULAS),
    known(Experiment::HalfSecondIterated, Quantity::Predators, 7.512_233, 1e-7, FORMULAS),
    known(Experiment::HalfSecondIterated, Quantity::LargestError, 4.0, 0.02, FORMULAS),
    known(Experiment::MasterSim, Quantity::Steps, 8642.0, 0.0, FORMULAS),
    known(Experiment::MasterSim, Quantity::Steps, 8653.0, 0.01, MASTER_SIM),
    known(Experiment::MasterSim, Quantity::DoStepCalls, 51_960.0, 0.01, MASTER_SIM),
    known(Experiment::MasterSim, Quantity::LargestError, 3.2e-3, 0.03, MASTER_SIM),
    known(Experiment::MasterSimIterated, Quantity::Steps, 8872.0, 0.0, MASTER_SIM),
    known(Experiment::MasterSimIterated, Quantity::DoStepCalls, 115_550.0, 0.0, MASTER_SIM),
    known(Experiment::MasterSimIterated, Quantity::LargestError, 3.9e-2, 0.02, MASTER_SIM),
];
