//! Sweeps: studies that run one system with many start values, and keep a record of each run.
//!
//! Data flow: a study file -> [`SweepDescription`](lotka_system::SweepDescription) -> `plan` (the start values of each run) ->
//! [`Ensemble`] -> `record` (what is kept of each run). Start reading at [`Sweep`].

mod plan;
mod record;
#[cfg(feature = "parquet")]
mod records;
mod sampling;
#[cfg(feature = "parquet")]
mod table;
#[cfg(test)]
mod tests;

pub use record::RunRecord;
#[cfg(feature = "parquet")]
pub use {
    records::SweepRecords,
    table::{SweepTable, SweepTableError},
};

use std::{
    fmt,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use lotka_message::Findings;
use lotka_plan::column::Column;
use lotka_run::CancelToken;
use lotka_step::model::Model;
use lotka_system::{Keep, Sampling, StartValue, SweepDescription, SweepParameter, read_sweep};
use plan::Plan;
use record::Selection;

use crate::{Ensemble, Error, System};

/// A study: one system, parameters that vary, and what is kept of each run.
///
/// The number of a run determines its parameters, so that any machine can make any part of a study: the records are the same, bit
/// by bit, for any number of threads and for any division into shards.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use lotka::{Shard, Sweep};
///
/// let mut sweep = Sweep::from_file("study.toml")?.threads(2);
/// for column in sweep.columns() {
///     println!("{}", column.name);
/// }
/// sweep.run(Shard::ALL, 0, |record| {
///     println!("run {}: {}", record.run, record.status);
///     std::ops::ControlFlow::Continue(())
/// })?;
/// # Ok(()) }
/// ```
pub struct Sweep {
    description: SweepDescription,
    system: System,
    plan: Plan,
    ensemble: Ensemble,
    selection: Selection,
    /// The models of the system, and the folder of the study, for a digest of all inputs.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only tables of records have a digest"))]
    models: Vec<Model>,
    base: PathBuf,
}

impl fmt::Debug for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sweep").field("description", &self.description).finish_non_exhaustive()
    }
}

/// A part of the runs of a study: every `of`-th one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// All runs.
    pub const ALL: Self = Self { number: 1, of: 1 };

    /// Returns the shard `number` of `of`, counted from 1; `None` if there is no such shard.
    #[must_use]
    pub fn new(number: usize, of: usize) -> Option<Self> {
        (1..=of).contains(&number).then_some(Self { number, of })
    }

    /// Returns its number, from 1, and the number of shards.
    #[must_use]
    pub fn numbers(self) -> (usize, usize) {
        (self.number, self.of)
    }

    /// Returns the number of its runs among `runs` of the study.
    #[must_use]
    pub fn len(self, runs: usize) -> usize {
        (runs + self.of - self.number) / self.of
    }

    /// Returns whether it has no runs among `runs` of the study.
    #[must_use]
    pub fn is_empty(self, runs: usize) -> bool {
        self.len(runs) == 0
    }

    /// Returns the number of a run of the study by its position in the shard.
    #[must_use]
    pub fn run(self, position: usize) -> usize {
        self.number - 1 + position * self.of
    }
}

impl Sweep {
    /// Reads a study and its system, and opens the FMUs.
    ///
    /// # Errors
    /// The study or its system cannot be read, or is inconsistent: all problems at once.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(path.as_ref(), |system| system)
    }

    /// Like [`Sweep::from_file`], with changes to the system.
    ///
    /// # Errors
    /// As for [`Sweep::from_file`].
    pub fn new(path: &Path, change: impl FnOnce(System) -> System) -> Result<Self, Error> {
        let description = read_sweep(path)?;
        let base = path.parent().map(Path::to_owned).unwrap_or_default();
        let system = change(System::from_file(base.join(&description.system.value))?);
        Self::assemble(description, system, base)
    }

    /// Makes a study of a system.
    ///
    /// ```
    /// use lotka::{Axis, Fmu, Keep, Sampling, Shard, StartValue, Sweep, SweepParameter, System};
    /// # let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
    ///
    /// let system = System::new().instance_of("prey", &prey).stop(1.0).step(0.1);
    /// let values = [0.1, 0.2, 0.3].map(StartValue::Real).to_vec();
    /// let parameter = SweepParameter { name: "prey.a".to_owned().into(), axis: Axis::Values(values) };
    /// let mut sweep = Sweep::of(system, Sampling::Grid, vec![parameter], Keep { finals: true, ..Keep::default() })?;
    /// sweep.run(Shard::ALL, 0, |record| {
    ///     assert_eq!(record.status, "ok");
    ///     std::ops::ControlFlow::Continue(())
    /// })?;
    /// # Ok::<(), lotka::Error>(())
    /// ```
    ///
    /// # Errors
    /// The system or the parameters are inconsistent: all problems at once.
    pub fn of(system: System, sampling: Sampling, parameters: Vec<SweepParameter>, keep: Keep) -> Result<Self, Error> {
        let description = SweepDescription { file: None, system: PathBuf::new().into(), sampling, parameters, keep };
        Self::assemble(description, system, PathBuf::new())
    }

    fn assemble(description: SweepDescription, mut system: System, base: PathBuf) -> Result<Self, Error> {
        if let Some(variables) = &description.keep.variables {
            let patterns: Vec<_> = variables.value.iter().map(|pattern| pattern.value.as_str()).collect();
            system = system.record(&patterns);
        }
        let mut findings = Findings::default();
        let plan = Plan::new(&description, &base, &mut findings);
        let mut ensemble = Ensemble::new(&system)?;
        let simulation = ensemble.first();
        let models = simulation.models.clone();
        let selection = Selection::new(&description.keep, simulation, &mut findings);
        let checked = plan.map(|mut plan| {
            plan.check(simulation, &mut findings);
            plan
        });
        match checked {
            Some(plan) => {
                let (plan, _) = findings.finish(plan, description.file.as_ref()).map_err(Error::System)?;
                Ok(Self { description, system, plan, ensemble, selection, models, base })
            }
            None => Err(Error::System(findings.problems(description.file.as_ref()))),
        }
    }

    /// Sets the number of threads, by default the number of processors.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.ensemble = self.ensemble.threads(threads);
        self
    }

    /// Makes this token the one that ends the runs.
    #[must_use]
    pub fn canceled_by(mut self, cancel: CancelToken) -> Self {
        self.ensemble = self.ensemble.canceled_by(cancel);
        self
    }

    /// Returns the description of the study.
    #[must_use]
    pub fn description(&self) -> &SweepDescription {
        &self.description
    }

    /// Returns its system.
    #[must_use]
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Returns the files that the study reads: its own, that of its parameters, and those of its system.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let own = self.description.file.iter().map(|file| file.path.clone());
        let table = match &self.description.sampling {
            Sampling::Table(table) => Some(self.base.join(&table.value)),
            _ => None,
        };
        own.chain(table).chain(self.system.files()).collect()
    }

    /// Returns the number of runs.
    #[must_use]
    pub fn n_runs(&self) -> usize {
        self.plan.len()
    }

    /// Returns the parameters of a run.
    #[must_use]
    pub fn parameters(&self, run: usize) -> Vec<(String, StartValue)> {
        self.plan.values(run)
    }

    /// Returns a token that ends the runs from another thread.
    #[must_use]
    pub fn cancel_token(&self) -> CancelToken {
        self.ensemble.cancel_token()
    }

    /// Returns the columns of the records, in their order: `run`, the parameters, `status`, `reached`, `error`, `time`, `calls`,
    /// and what is kept of each run.
    ///
    /// `status` is `ok`, `tolerance-not-reached`, `terminated-by-instance`, or the code of the message with which the run failed.
    /// `reached`: the run is complete, with the tolerance if there is one. `error`: the largest estimated error of a run with
    /// `tolerance`, relative; otherwise NaN. `time`: the time reached \[s\]. `calls`: steps of single instances. Kept values are
    /// `final(x)`, `minimum(x)`, `maximum(x)` and `at(x, t)`; they are NaN, and texts empty, if a run fails.
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        self.selection.columns(self.plan.columns())
    }

    /// Returns the columns of the rows that are kept, without the time; empty if no rows are kept.
    #[must_use]
    pub fn row_columns(&self) -> Vec<Column> {
        self.selection.row_columns()
    }

    /// Makes the runs of a shard from the given position on, and passes the record of each to `receive`, in their order.
    /// [`ControlFlow::Break`] ends the runs. Returns whether all runs were made.
    ///
    /// # Errors
    /// The FMUs cannot be opened for another thread.
    pub fn run(
        &mut self,
        shard: Shard,
        from: usize,
        mut receive: impl FnMut(RunRecord) -> ControlFlow<()>,
    ) -> Result<bool, Error> {
        let Self { plan, ensemble, selection, .. } = self;
        let positions = from..shard.len(plan.len()).max(from);
        ensemble.run_each(
            positions,
            |position| plan.values(shard.run(position)),
            |member| {
                let run = shard.run(member.index);
                selection.record(run, plan.recorded(run), member)
            },
            |_, record| receive(record),
        )
    }
}
