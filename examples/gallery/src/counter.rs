//! The counters of a run by name.

use lotka::Counters;
use serde::Deserialize;

/// A counter of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counter {
    /// doStep calls of all instances, over all runs.
    DoStepCalls,
    /// Accepted communication steps.
    Steps,
    /// Rejected communication steps.
    RejectedSteps,
    /// Iterations over algebraic loops.
    Iterations,
    /// Rollbacks.
    Rollbacks,
    /// Steps that an instance discarded.
    Discards,
    /// Located events.
    Events,
}

impl Counter {
    /// Returns the value of the counter.
    pub fn of(self, counters: &Counters) -> u64 {
        match self {
            Self::DoStepCalls => counters.n_do_step_calls,
            Self::Steps => counters.n_steps,
            Self::RejectedSteps => counters.n_step_attempts - counters.n_steps,
            Self::Iterations => counters.n_iterations,
            Self::Rollbacks => counters.n_rollbacks,
            Self::Discards => counters.n_discards,
            Self::Events => counters.n_events,
        }
    }

    /// Returns the name for readers.
    pub fn name(self) -> &'static str {
        match self {
            Self::DoStepCalls => "doStep calls",
            Self::Steps => "steps",
            Self::RejectedSteps => "rejected steps",
            Self::Iterations => "iterations",
            Self::Rollbacks => "rollbacks",
            Self::Discards => "discarded steps",
            Self::Events => "events",
        }
    }
}
