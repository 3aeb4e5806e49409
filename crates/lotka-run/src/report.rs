//! The report of a run, whatever its end.

use std::time::Duration;

use lotka_message::{Code, Coded, Warning};
use lotka_step::{Error, error::GlobalError};

use super::FoundStart;

/// Counters of a run; with `tolerance`, sums over all its runs. They identify an algorithm, because they do not depend on the
/// machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Counters {
    /// Accepted communication steps.
    pub n_steps: u64,
    /// Attempted steps.
    pub n_step_attempts: u64,
    /// Steps that failed the error test. They were rejected unless they could not be repeated.
    pub n_error_test_failures: u64,
    /// Steps rejected because a loop did not converge.
    pub n_convergence_failures: u64,
    /// Passes over loops by the iteration.
    pub n_iterations: u64,
    /// Rollbacks of all or some instances.
    pub n_rollbacks: u64,
    /// Steps that an instance discarded.
    pub n_discards: u64,
    /// Located events.
    pub n_events: u64,
    /// Steps of single instances.
    pub n_do_step_calls: u64,
    /// Steps of single instances before the first run for a `tolerance`, made to find instances with internal steps of fixed
    /// size. They belong to no run and are not included in the other counters.
    #[serde(skip)]
    pub n_trial_calls: u64,
}

impl Counters {
    /// Adds the counters of another run.
    pub fn add(&mut self, other: &Self) {
        self.n_steps += other.n_steps;
        self.n_step_attempts += other.n_step_attempts;
        self.n_error_test_failures += other.n_error_test_failures;
        self.n_convergence_failures += other.n_convergence_failures;
        self.n_iterations += other.n_iterations;
        self.n_rollbacks += other.n_rollbacks;
        self.n_discards += other.n_discards;
        self.n_events += other.n_events;
        self.n_do_step_calls += other.n_do_step_calls;
        self.n_trial_calls += other.n_trial_calls;
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum End {
    /// The stop time was reached.
    StopTime,
    /// An instance requested the end.
    TerminatedByInstance {
        /// Its name.
        instance: String,
        /// The last successful time that it returned \[s\].
        last_successful_time: Option<f64>,
    },
    /// The stop time was reached, but not the `tolerance`: a [`RunFailure`]. [`Report::global_error`] states the error of the
    /// results.
    ToleranceNotReached,
    /// The run was canceled.
    Canceled,
    /// An observer stopped the run, or a session was finished before the stop time.
    Stopped,
    /// The run failed; the error is in [`RunFailure`].
    Failed,
}

impl End {
    /// Whether the run reached the stop time, with the `tolerance` if there is one.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        *self == Self::StopTime
    }

    /// A short machine-readable name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::StopTime => "stop-time",
            Self::TerminatedByInstance { .. } => "terminated-by-instance",
            Self::ToleranceNotReached => "tolerance-not-reached",
            Self::Canceled => "canceled",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }
}

/// Calls made to one instance.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct InstanceReport {
    /// Name of the instance.
    pub name: String,
    /// Calls per function during the run, without initialization: `("do_step", n)` and so on.
    pub calls: Vec<(&'static str, u64)>,
    /// Time spent in the instance, if the simulation was built with `profile`.
    pub time: Option<Duration>,
}

/// Energy exchanged over a power bond during a run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PowerBondReport {
    /// Name of the bond.
    pub name: String,
    /// Energy that arrived at the instance that reads the effort minus the energy that left the other one \[J\]: the energy
    /// created by the coupling. If effort times flow is the power into that instance, a positive residual is created energy.
    pub residual_energy: f64,
    /// Sum of the absolute residual energies of all steps \[J\].
    pub absolute_residual_energy: f64,
    /// Sum of the absolute energies exchanged in each step \[J\].
    pub exchanged_energy: f64,
}

/// The work of a run and the reason for its end. It serializes with the names of its fields.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The reason for its end.
    pub end: End,
    /// Last communication point reached \[s\].
    pub time: f64,
    /// Counters.
    pub counters: Counters,
    /// Largest local error estimate among accepted steps, in units of the tolerance; `None` without error control.
    pub largest_error_estimate: Option<f64>,
    /// The error of the results, in a run with `tolerance`.
    pub global_error: Option<GlobalError>,
    /// Start values found by a solver, in the order of the system file.
    pub found_start: Vec<FoundStart>,
    /// Energy exchanged over power bonds, in the order of the description; empty in a run with `tolerance`.
    pub power_bonds: Vec<PowerBondReport>,
    /// Calls per instance, in file order.
    pub instances: Vec<InstanceReport>,
    /// Warnings of set-up and run.
    pub warnings: Vec<Warning>,
    /// A contradiction to the trials on which the method relies; the run ended there.
    #[serde(skip)]
    pub refuted: Option<String>,
}

impl Report {
    /// Returns the error of a run whose results are not within their `tolerance`.
    pub(super) fn missed_tolerance(&self) -> Option<Error> {
        let error = self.global_error.clone().filter(|_| self.end == End::ToleranceNotReached);
        error.map(|error| Error::ToleranceNotReached(Box::new(error)))
    }

    /// Creates a report that contains the end only.
    #[must_use]
    pub fn new(end: End) -> Self {
        Self {
            end,
            time: 0.0,
            counters: Counters::default(),
            largest_error_estimate: None,
            global_error: None,
            found_start: Vec::new(),
            power_bonds: Vec::new(),
            instances: Vec::new(),
            warnings: Vec::new(),
            refuted: None,
        }
    }
}

/// A failed run: the error, and the partial report. Rows up to the last communication point were sent to the observers, and those
/// of a `tolerance` that was not reached up to the stop time.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
#[non_exhaustive]
pub struct RunFailure {
    /// The reason.
    pub error: Error,
    /// The report up to the failure.
    pub report: Report,
}

impl RunFailure {
    /// Returns the report of a run whose only failure is that its `tolerance` was not reached, for callers that use the best
    /// results nevertheless:
    ///
    /// ```
    /// use lotka::{Fmu, Memory, RunFailure, System};
    /// # let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
    /// # let predator = Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
    /// # let system = System::new().instance_of("prey", &prey).instance_of("predator", &predator);
    /// # let system = system.connect("prey.y", "predator.y").connect("predator.x", "prey.x").stop(20.0).output_interval(1.0);
    ///
    /// let mut rows = Memory::new();
    /// let result = system.tolerance(1e-12).max_calls(500).build()?.run(&mut [&mut rows]);
    /// let report = result.or_else(RunFailure::accept_missed_tolerance)?;
    /// assert!(report.global_error.is_some_and(|error| !error.reached));
    /// assert_eq!(rows.time().len(), 21);
    /// # Ok::<(), lotka::Error>(())
    /// ```
    ///
    /// # Errors
    /// The failure, if it is another one.
    pub fn accept_missed_tolerance(self: Box<Self>) -> Result<Report, Box<Self>> {
        if matches!(self.error, Error::ToleranceNotReached(_)) { Ok(self.report) } else { Err(self) }
    }
}

impl Coded for RunFailure {
    fn code(&self) -> Code {
        self.error.code()
    }
}
