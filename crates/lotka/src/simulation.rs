//! A system that is ready to run, with its inputs.

use std::fmt;

use lotka_message::{Findings, Warning};
use lotka_plan::{column::Column, graph::Graph};
use lotka_run::{CancelToken, Checkpoint, ProgressToken, Report, RunFailure, record::Observer};
use lotka_step::{
    algorithm::MethodRegistry,
    checkpoint::{CheckpointRefusal as Unfit, CheckpointToken},
    model::Model,
    resolved::Interface,
};
use lotka_system::{StartSetting, StartValue, SystemDescription, experiments, resolve};

use crate::{CheckpointError, Error, checkpoint::Origin, profile::Stopwatch};

/// Coupled instances, ready to run.
pub struct Simulation {
    pub(crate) engine: lotka_run::Simulation,
    /// The inputs from which it was built.
    pub(crate) description: SystemDescription,
    /// Findings about the text of the file.
    pub(crate) findings: Findings,
    pub(crate) methods: MethodRegistry,
    pub(crate) models: Vec<Model>,
    /// One per instance, if time is measured.
    pub(crate) stopwatches: Vec<Stopwatch>,
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.description.instances.iter().map(|instance| instance.name.value.as_str()).collect();
        f.debug_struct("Simulation").field("instances", &names).finish_non_exhaustive()
    }
}

impl Simulation {
    /// Returns a token that ends the run from another thread.
    #[must_use]
    pub fn cancel_token(&self) -> CancelToken {
        self.engine.cancel_token()
    }

    /// Returns a token that reports the progress of the runs of a `tolerance` to another thread.
    #[must_use]
    pub fn progress_token(&self) -> ProgressToken {
        self.engine.progress_token()
    }

    /// The description from which it was built.
    pub(crate) fn description(&self) -> &SystemDescription {
        &self.description
    }

    /// Returns the recorded variables, in the order of the rows.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        self.engine.columns()
    }

    /// Returns the loops and the evaluation order.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        self.engine.graph()
    }

    /// Returns the warnings of the set-up.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.engine.warnings()
    }

    /// Describes the chosen algorithm in a sentence. A second sentence gives the reason, unless the system chose the algorithm.
    #[must_use]
    pub fn describe_algorithm(&self) -> String {
        self.engine.describe_algorithm()
    }

    /// Describes how many runs of a `tolerance` are made at a time, and why; `None` for a single run.
    #[must_use]
    pub fn describe_runs(&self) -> Option<String> {
        self.engine.describe_runs()
    }

    /// Returns the least memory that the rows of a run need \[byte\].
    ///
    /// A run with `tolerance` keeps the rows of several runs. Others keep none, unless an observer does (`are_kept`), as
    /// [`Memory`](crate::Memory) does. The number of rows under local error control without an output interval is unknown before
    /// the run; it counts as 0.
    #[must_use]
    pub fn memory_of_rows(&self, are_kept: bool) -> f64 {
        self.engine.memory_of_rows(are_kept)
    }

    /// Analyzes the coupling at the start time: sensitivities, convergence of iterations, and the largest steps at which coupling
    /// without iteration adds no growth.
    ///
    /// `step` \[s\] is the step in use; the default is the one that the experiment is likely to use. The FMUs do not receive the
    /// stop time, because the analysis tries large steps. Later runs are not affected.
    ///
    /// # Errors
    /// An FMU cannot be rolled back or takes steps of one size only; the step is not positive or longer than the experiment; the
    /// instances cannot be initialized or cannot make a single step of this size.
    #[cfg(feature = "analysis")]
    pub fn analyze_coupling(&mut self, step: Option<f64>) -> Result<lotka_analysis::coupling::Coupling, Error> {
        Ok(self.engine.analyze(|subject| lotka_analysis::coupling::analyze(subject, step))??)
    }

    /// Initializes the instances and steps them until the stop time, the end that an instance requests, or cancellation.
    ///
    /// With `tolerance` the run is repeated on finer meshes, and the rows come at the end. A simulation can run again: the
    /// instances are replaced, or reset where that is known to be the same. If the run fails, the observers have received the
    /// rows so far.
    ///
    /// `Ok` does not mean that the run reached its stop time: an instance, an observer or a [`CancelToken`] can end it early. See
    /// [`Report::end`] and [`End::is_complete`](crate::End::is_complete).
    ///
    /// # Errors
    /// [`RunFailure`] with the error and the report of the run up to there. A `tolerance` that was not reached is one: the
    /// observers have received the best results, and [`RunFailure::accept_missed_tolerance`] returns the report.
    pub fn run(&mut self, observers: &mut [&mut dyn Observer]) -> Result<Report, Box<RunFailure>> {
        let result = self.engine.run(observers);
        self.timed(result)
    }

    /// Sets the start value of `instance.variable` in later runs, as [`System::start_value`](crate::System::start_value) does
    /// before [`System::build`](crate::System::build). Runs are bitwise those of a simulation that was built with the value, in
    /// whatever order they are made, as far as new instances of its FMUs begin in the same way.
    ///
    /// Nothing is opened or instantiated. To set many values of a large system, call [`Simulation::set_starts`], which checks
    /// them together.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut simulation = lotka::System::from_file("examples/predator-prey/system.toml")?.build()?;
    /// for x in [5.0, 10.0, 20.0] {
    ///     simulation.set_start("prey.x", x)?;
    ///     simulation.run(&mut [])?;
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`Error::System`]: there is no such variable, it cannot be set, or the value does not suit it. The start values are
    /// those before.
    pub fn set_start(&mut self, variable: &str, value: impl ToString) -> Result<(), Error> {
        self.set_starts([(variable, value)])
    }

    /// Sets several start values, like [`Simulation::set_start`].
    ///
    /// # Errors
    /// [`Error::System`] with the problems of all values; none of them is set then. [`Error::Checkpoint`]: checkpoints are kept,
    /// and an FMU cannot be read again.
    pub fn set_starts<'a, V: ToString>(&mut self, values: impl IntoIterator<Item = (&'a str, V)>) -> Result<(), Error> {
        let values: Vec<_> =
            values.into_iter().map(|(variable, value)| (variable, StartValue::Unparsed(value.to_string()))).collect();
        let known = self.description.start_values.clone();
        self.replace_starts(&known, values)
    }

    /// Sets these start values, and those in `known` of other variables, instead of the present ones. If they do not suit, none
    /// of them is set.
    pub(crate) fn replace_starts<N: AsRef<str>>(
        &mut self,
        known: &[StartSetting],
        values: Vec<(N, StartValue)>,
    ) -> Result<(), Error> {
        let mut settings = known.to_vec();
        for (variable, value) in values {
            let variable = variable.as_ref();
            // The last one counts.
            settings.retain(|setting| setting.variable.value != variable);
            settings.push(StartSetting::new(variable.to_owned(), value));
        }
        let before = std::mem::replace(&mut self.description.start_values, settings);
        let result = self.take_start_values();
        if result.is_err() {
            self.description.start_values = before;
        }
        result
    }

    fn take_start_values(&mut self) -> Result<(), Error> {
        let interfaces: Vec<_> = self.models.iter().map(Interface::of).collect();
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let (resolved, warnings) =
            resolve(&self.description, self.findings.clone(), &interfaces, &self.methods).map_err(Error::System)?;
        let experiments = experiments(&self.description, &resolved, &descriptions);
        if self.engine.keeps_checkpoints() {
            self.checkpoint_token()?;
        }
        self.engine.set_start_values(resolved, experiments, warnings);
        Ok(())
    }

    /// Continues from a checkpoint. The rows are bitwise those of the run that made it.
    ///
    /// Observers receive [`Notification::Resumed`](crate::Notification::Resumed), and then everything after the checkpoint. The
    /// report covers the whole run. Instances are initialized as for a run from the start, and then receive their states.
    ///
    /// # Errors
    /// [`RunFailure`]: the checkpoint belongs to another system, or to one whose files have changed; or as for
    /// [`Simulation::run`].
    pub fn resume(&mut self, checkpoint: &Checkpoint, observers: &mut [&mut dyn Observer]) -> Result<Report, Box<RunFailure>> {
        if let Err(error) = self.check_origin(checkpoint) {
            return Err(Box::new(self.engine.not_resumed(error, observers)));
        }
        let result = self.engine.resume(checkpoint, observers);
        self.timed(result)
    }

    /// Frees the instances, and returns the warnings that they log.
    ///
    /// # Errors
    /// An instance ends its own process. The results are complete nevertheless.
    pub fn close(self) -> Result<Vec<Warning>, Error> {
        Ok(self.engine.close()?)
    }

    /// Returns a token that requests checkpoints of later runs, which observers receive as
    /// [`Notification::Checkpoint`](crate::Notification::Checkpoint).
    ///
    /// Such runs have bitwise the same rows as others. A canceled run makes a last checkpoint without a request.
    ///
    /// # Errors
    /// [`Error::Checkpoint`]: the run has a `tolerance`, an FMU does not serialize its state (the error names all such FMUs), or
    /// an FMU cannot be read again.
    pub fn checkpoint_token(&mut self) -> Result<CheckpointToken, Error> {
        self.engine.check_checkpoints().map_err(CheckpointError::from)?;
        let origin = self.origin().map_err(CheckpointError::from)?;
        Ok(self.engine.keep_checkpoints(origin.to_bytes()).map_err(CheckpointError::from)?)
    }

    /// The present state of the inputs from which the simulation was built.
    fn origin(&self) -> Result<Origin, Unfit> {
        Origin::new(&self.description, &self.models).map_err(|(path, reason)| Unfit::Fmu { path, reason })
    }

    /// Whether a checkpoint was made of this system.
    fn check_origin(&self, checkpoint: &Checkpoint) -> Result<(), Unfit> {
        self.engine.check_checkpoints()?;
        let changes = self.origin()?.changes_since(checkpoint);
        if changes.is_empty() { Ok(()) } else { Err(Unfit::Changed(changes)) }
    }

    /// The same report with the measured times.
    pub(crate) fn timed(&self, result: Result<Report, Box<RunFailure>>) -> Result<Report, Box<RunFailure>> {
        let add = |report: &mut Report| {
            report
                .instances
                .iter_mut()
                .zip(&self.stopwatches)
                .for_each(|(instance, stopwatch)| instance.time = Some(stopwatch.elapsed()));
        };
        match result {
            Ok(mut report) => {
                add(&mut report);
                Ok(report)
            }
            Err(mut failure) => {
                add(&mut failure.report);
                Err(failure)
            }
        }
    }
}
