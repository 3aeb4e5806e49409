//! A built system.

use std::{
    collections::HashMap,
    sync::{Arc, mpsc::Sender},
};

use lotka::{CancelToken, Column, Error, Graph, Memory, ProgressToken, Report, Warning};
use pyo3::prelude::*;

use crate::{
    bridge::{Ended, Progress},
    document::About,
    error, fmus,
    rows::Rows,
    run::{self, Callbacks, Waiting},
    session::Session,
    worker::{Only, Worker},
};

/// A built system on a thread of its own.
#[pyclass(frozen, module = "lotka._lotka")]
pub struct Simulation {
    worker: Worker,
    about: Arc<About>,
    facts: Facts,
}

/// What is read once, right after the system was built.
struct Facts {
    columns: Vec<Column>,
    warnings: Vec<Warning>,
    algorithm: String,
    runs: Option<String>,
    graph: Graph,
    cancel: CancelToken,
    progress: ProgressToken,
}

impl Simulation {
    /// Builds a system.
    pub(crate) fn build(py: Python<'_>, system: lotka::System) -> PyResult<Self> {
        let description = system.description().clone();
        let worker = Worker::build(py, system)?;
        let read = |simulation: &mut lotka::Simulation, sender: &Sender<Facts>| {
            let facts = Facts {
                columns: simulation.columns().to_vec(),
                warnings: simulation.warnings().to_vec(),
                algorithm: simulation.describe_algorithm(),
                runs: simulation.describe_runs(),
                graph: simulation.graph().clone(),
                cancel: simulation.cancel_token(),
                progress: simulation.progress_token(),
            };
            let _ = sender.send(facts);
        };
        let (facts, _) = worker.call(py, read, &mut Only)?;
        let about = Arc::new(About::new(facts.algorithm.clone(), description, facts.graph.clone()));
        Ok(Self { worker, about, facts })
    }
}

impl Simulation {
    /// Its thread.
    pub(crate) fn worker(&self) -> &Worker {
        &self.worker
    }

    /// The token that ends its runs.
    pub(crate) fn cancel_token(&self) -> &CancelToken {
        &self.facts.cancel
    }

    /// The rows of a session.
    pub(crate) fn rows(&self, memory: Memory, report: Report) -> Rows {
        Rows::new(memory, report, None, self.about.clone())
    }
}

#[pymethods]
impl Simulation {
    /// Begins a run in pieces.
    fn start(slf: Py<Self>, py: Python<'_>, log: Py<PyAny>, warn: Py<PyAny>) -> PyResult<Session> {
        Session::start(py, slf, log, warn)
    }

    /// Makes a run. Returns the rows, and the exception that ended it, if there is one.
    #[pyo3(signature = (log, warn, on_row, on_progress, steps))]
    fn run(
        &self,
        py: Python<'_>,
        log: Py<PyAny>,
        warn: Py<PyAny>,
        on_row: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
        steps: bool,
    ) -> PyResult<(Rows, Option<Py<PyAny>>)> {
        let Facts { columns, cancel, progress: runs, .. } = &self.facts;
        let progress = on_progress.is_some().then(Arc::<Progress>::default);
        let job = run::job(cancel.clone(), on_row.is_some(), steps, progress.clone());
        let names = columns.iter().map(|column| column.name.as_str()).collect();
        let callbacks = Callbacks { log, warn, on_row, on_progress };
        let mut waiting = Waiting { callbacks, names, cancel, progress, runs, raised: None };
        let (ended, interrupted) = self.worker.call(py, job, &mut waiting)?;
        let Ended { result, memory, steps, raised: of_model } = *ended;
        let (report, failure) = match result {
            Ok(report) => (report, None),
            Err(failure) => {
                if failure.error.is_fatal() {
                    // None of its instances can be used any more.
                    py.detach(fmus::forget);
                }
                (failure.report.clone(), Some(error::of_run(py, &failure)))
            }
        };
        let rows = Rows::new(memory, report, steps, self.about.clone());
        // A model may raise in a trial that the run survives.
        let error = interrupted.or(waiting.raised).or_else(|| failure.map(|failure| of_model.unwrap_or(failure)));
        Ok((rows, error.map(|error| error.into_value(py).into_any())))
    }

    /// Sets start values of later runs.
    fn set_starts(&self, py: Python<'_>, values: HashMap<String, String>) -> PyResult<()> {
        let set = move |simulation: &mut lotka::Simulation, sender: &Sender<Result<(), Error>>| {
            let values = values.iter().map(|(variable, value)| (variable.as_str(), value));
            let _ = sender.send(simulation.set_starts(values));
        };
        self.worker.call(py, set, &mut Only)?.0.map_err(|failed| error::of(py, &failed))
    }

    /// Analyzes the coupling; JSON.
    fn analyze_coupling(&self, py: Python<'_>, step: Option<f64>) -> PyResult<String> {
        let analyze = move |simulation: &mut lotka::Simulation, sender: &Sender<Result<String, Error>>| {
            let coupling = simulation.analyze_coupling(step);
            let _ = sender.send(coupling.map(|coupling| lotka_report::coupling(&coupling).to_string()));
        };
        self.worker.call(py, analyze, &mut Only)?.0.map_err(|failed| error::of(py, &failed))
    }

    /// The recorded variables.
    fn columns(&self) -> Vec<&str> {
        self.facts.columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// Text and code of each warning of the set-up.
    fn warnings(&self) -> Vec<(&str, &str)> {
        self.facts.warnings.iter().map(|warning| (warning.text.as_str(), warning.code.as_str())).collect()
    }

    /// The chosen algorithm.
    fn describe_algorithm(&self) -> &str {
        &self.facts.algorithm
    }

    /// How many runs of a `tolerance` are made at a time.
    fn describe_runs(&self) -> Option<&str> {
        self.facts.runs.as_deref()
    }

    /// Ends a run that another thread makes.
    fn cancel(&self) {
        self.facts.cancel.cancel();
    }

    /// Frees the instances.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.worker.close(py)
    }
}
