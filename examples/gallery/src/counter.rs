//! The counters of a run by name.

use lotka::Counters;
use serde::Deserialize;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counter {
    /// Steps of single instances, all runs.
    DoStepCalls,
    /// Accepted communication steps.
    Steps,
    /// Communication steps that were tried and not accepted.
    RejectedSteps,
    /// Passes over loops by the iteration.
    Iterations,
    /// Rollbacks.
    Rollbacks,
    /// Steps that an instance discarded.
    Discards,
    /// Events that were located.
    Events,
}

impl Counter {
    /// Its value.
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

    /// In words.
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
