//! A system that is ready to run, with what it was built from.

use lotka_engine::{
    checkpoint::{Checkpoint, CheckpointRefusal as Unfit, CheckpointToken},
    graph::Graph,
    record::{Column, Observer},
    simulation::{CancelToken, Model, ProgressToken, Report, RunFailure},
};
use lotka_message::Warning;
use lotka_system::SystemDescription;

use crate::{CheckpointError, Error, checkpoint::Origin, profile::Stopwatch};

/// Instances that are coupled and ready to run.
pub struct Simulation {
    pub(crate) engine: lotka_engine::simulation::Simulation,
    /// What it was built from.
    pub(crate) description: SystemDescription,
    pub(crate) models: Vec<Model>,
    /// One per instance, if time is measured.
    pub(crate) stopwatches: Vec<Stopwatch>,
}

impl Simulation {
    /// A token that ends the run from another thread.
    #[must_use]
    pub fn cancel_token(&self) -> CancelToken {
        self.engine.cancel_token()
    }

    /// A token that knows how far the runs of a `tolerance` are, for another thread.
    #[must_use]
    pub fn progress_token(&self) -> ProgressToken {
        self.engine.progress_token()
    }

    /// The recorded variables, in the order of the rows.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        self.engine.columns()
    }

    /// Loops and evaluation order.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        self.engine.graph()
    }

    /// Warnings of set-up.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.engine.warnings()
    }

    /// The chosen algorithm in a sentence, and in a second one why, where it was not given.
    #[must_use]
    pub fn describe_algorithm(&self) -> String {
        self.engine.describe_algorithm()
    }

    /// Whether the runs of a `tolerance` are made two at a time, and why; `None` where there is a single run.
    #[must_use]
    pub fn describe_runs(&self) -> Option<String> {
        self.engine.describe_runs()
    }

    /// Memory that the rows of a run need at least \[byte\]. A run with `tolerance` keeps the rows of several runs; others keep none, unless an
    /// observer does (`are_kept`), as [`Memory`](crate::Memory) does. How many rows control of the local error makes without an output interval is not
    /// known before; it counts as none.
    #[must_use]
    pub fn memory_of_rows(&self, are_kept: bool) -> f64 {
        self.engine.memory_of_rows(are_kept)
    }

    /// Analyzes what the exchange of values at communication points adds to the system at its start: sensitivities, convergence of
    /// iterations, and the steps up to which coupling without iteration adds no growth. `step` \[s\] is the one in use; without it, the one
    /// that the experiment is likely to use. The FMUs are not told the stop time, because large steps are tried. Nothing of it shows in
    /// later runs.
    ///
    /// # Errors
    /// An FMU cannot be rolled back or takes steps of one size only; the step is not positive or longer than the experiment; the instances
    /// cannot be initialized or cannot make a single step of this size.
    #[cfg(feature = "analysis")]
    pub fn analyze_coupling(&mut self, step: Option<f64>) -> Result<lotka_analysis::coupling::Coupling, Error> {
        Ok(self.engine.analyze(|subject| lotka_analysis::coupling::analyze(subject, step))??)
    }

    /// Initializes the instances and steps them until the stop time, the end that an instance asks for, or cancellation.
    ///
    /// With `tolerance` the run is repeated on finer meshes and the rows come at the end. A simulation can run again: the instances are
    /// reset first. On failure the rows so far went to the observers.
    ///
    /// # Errors
    /// [`RunFailure`] with the error and the report of the run up to there.
    pub fn run(&mut self, observers: &mut [&mut dyn Observer]) -> Result<Report, Box<RunFailure>> {
        let result = self.engine.run(observers);
        self.timed(result)
    }

    /// Continues from a checkpoint, with bitwise the rows that the run would have had that made it. Observers get
    /// [`Event::Resumed`](crate::Event::Resumed) and then what comes after the checkpoint; the report is that of the whole run. Instances are
    /// initialized as for a run from the start and then given their states.
    ///
    /// # Errors
    /// [`RunFailure`]: the checkpoint is that of another system or of one whose files have changed, or as for [`Simulation::run`].
    pub fn resume(&mut self, checkpoint: &Checkpoint, observers: &mut [&mut dyn Observer]) -> Result<Report, Box<RunFailure>> {
        if let Err(error) = self.check_origin(checkpoint) {
            return Err(Box::new(self.engine.not_resumed(error, observers)));
        }
        let result = self.engine.resume(checkpoint, observers);
        self.timed(result)
    }

    /// Frees the instances. Returns the warnings that they log thereby.
    ///
    /// # Errors
    /// An instance in a process of its own brings that to an end. Results are complete all the same.
    pub fn close(self) -> Result<Vec<Warning>, Error> {
        Ok(self.engine.close()?)
    }

    /// A token with which checkpoints of later runs are asked for; they come as [`Event::Checkpoint`](crate::Event::Checkpoint). Such runs have bitwise
    /// the same rows as others. One that is canceled makes a last checkpoint of its own accord.
    ///
    /// # Errors
    /// [`Error::Checkpoint`]: the run has a `tolerance`, an FMU does not serialize its state (all of them are named), or an FMU cannot be
    /// read again.
    pub fn checkpoint_token(&mut self) -> Result<CheckpointToken, Error> {
        self.engine.check_checkpoints().map_err(CheckpointError::from)?;
        let origin = self.origin().map_err(CheckpointError::from)?;
        Ok(self.engine.keep_checkpoints(origin.to_bytes()).map_err(CheckpointError::from)?)
    }

    /// What the simulation was built from, as it is now.
    fn origin(&self) -> Result<Origin, Unfit> {
        Origin::new(&self.description, &self.models).map_err(|(path, source)| Unfit::Fmu { path, source })
    }

    /// Whether a checkpoint was made of this system.
    fn check_origin(&self, checkpoint: &Checkpoint) -> Result<(), Unfit> {
        self.engine.check_checkpoints()?;
        let changes = self.origin()?.changes_since(checkpoint);
        if changes.is_empty() { Ok(()) } else { Err(Unfit::Changed(changes)) }
    }

    /// The same with the times that were measured.
    fn timed(&self, result: Result<Report, Box<RunFailure>>) -> Result<Report, Box<RunFailure>> {
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
