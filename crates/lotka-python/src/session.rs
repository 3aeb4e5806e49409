//! Runs in pieces.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::Sender};

use lotka::{CancelToken, Error, LogMessage, Mark, Memory, Notification, Observer, TypedValue, Warning};
use pyo3::{IntoPyObjectExt, exceptions::PyValueError, prelude::*, types::PyBytes};

use crate::{
    error,
    rows::Rows,
    simulation::Simulation,
    worker::{Only, Wait},
};

/// What the thread of a session leaves for the caller.
#[derive(Default)]
struct Record {
    memory: Memory,
    lines: Vec<LogMessage>,
    warnings: Vec<Warning>,
}

/// Records rows, log lines and warnings.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Record>>);

impl Recorder {
    fn lock(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Recorder {
    fn observe(&mut self, notification: &Notification<'_>) {
        let mut record = self.lock();
        record.memory.observe(notification);
        match notification {
            Notification::Log(line) => record.lines.push((*line).clone()),
            Notification::Warning(warning) => record.warnings.push((*warning).clone()),
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

/// A saved point.
#[pyclass(frozen, module = "lotka._lotka")]
pub struct SavedPoint {
    mark: Mark,
}

#[pymethods]
impl SavedPoint {
    /// The time of the point.
    #[getter]
    fn time(&self) -> f64 {
        self.mark.time()
    }
}

/// A value that a variable can have.
#[derive(FromPyObject)]
pub(crate) enum Given {
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(String),
}

impl From<Given> for lotka::StartValue {
    fn from(given: Given) -> Self {
        match given {
            Given::Boolean(value) => Self::Boolean(value),
            Given::Integer(value) => Self::Integer(value),
            Given::Real(value) => Self::Real(value),
            Given::Text(text) => Self::Unparsed(text),
        }
    }
}

/// The value of a variable, for Python.
pub(crate) fn python_value(py: Python<'_>, value: TypedValue) -> PyResult<Py<PyAny>> {
    match value {
        TypedValue::Real(value) => value.into_py_any(py),
        TypedValue::Integer(value) => value.into_py_any(py),
        TypedValue::Boolean(value) => value.into_py_any(py),
        TypedValue::Text(text) => text.into_py_any(py),
        TypedValue::Binary(bytes) => Ok(PyBytes::new(py, &bytes).into_any().unbind()),
    }
}

/// Waits for the end of a piece; a signal ends the run at its next communication point.
struct Piece<'a>(pub &'a CancelToken);

impl<M> Wait<M> for Piece<'_> {
    type Result = M;

    fn message(&mut self, _py: Python<'_>, message: M) -> Option<M> {
        Some(message)
    }

    fn interrupt(&mut self) -> bool {
        self.0.cancel();
        true
    }
}

/// A run that pauses, on the thread of its simulation.
#[pyclass(frozen, module = "lotka._lotka")]
pub struct Session {
    simulation: Py<Simulation>,
    /// Its number among the sessions of the simulation.
    number: u64,
    recorder: Recorder,
    log: Py<PyAny>,
    warn: Py<PyAny>,
}

impl Session {
    /// Begins a session.
    pub(crate) fn start(py: Python<'_>, simulation: Py<Simulation>, log: Py<PyAny>, warn: Py<PyAny>) -> PyResult<Self> {
        let recorder = Recorder::default();
        simulation.get().cancel_token().reset();
        let number = simulation.get().worker().start(py, vec![Box::new(recorder.clone())])?;
        let session = Self { simulation, number, recorder, log, warn };
        session.pass_on(py)?;
        Ok(session)
    }

    /// Makes a call that advances the run; returns whether it can continue.
    fn advance(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut lotka::Session<'static>) -> Result<bool, Error> + Send + 'static,
    ) -> PyResult<bool> {
        let job = move |session: &mut lotka::Session<'static>, sender: &Sender<Result<bool, Error>>| {
            let _ = sender.send(act(session));
        };
        let simulation = self.simulation.get();
        let (result, interrupted) =
            simulation.worker().with_session(py, self.number, job, &mut Piece(simulation.cancel_token()))?;
        self.pass_on(py)?;
        match interrupted {
            Some(error) => Err(error),
            None => result.map_err(|failed| error::of(py, &failed)),
        }
    }

    /// Makes a call that changes nothing outside of the session.
    fn call<T: Send + 'static>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut lotka::Session<'static>) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let job = move |session: &mut lotka::Session<'static>, sender: &Sender<Result<T, Error>>| {
            let _ = sender.send(act(session));
        };
        let result = self.simulation.get().worker().with_session(py, self.number, job, &mut Only)?.0;
        self.pass_on(py)?;
        result.map_err(|failed| error::of(py, &failed))
    }

    /// Passes log lines and warnings on to Python.
    fn pass_on(&self, py: Python<'_>) -> PyResult<()> {
        let (lines, warnings) = {
            let mut record = self.recorder.lock();
            (std::mem::take(&mut record.lines), std::mem::take(&mut record.warnings))
        };
        for line in lines {
            let status = line.status.map_or("", |status| status.name());
            self.log.call1(py, (line.instance, status, line.category, line.message))?;
        }
        for warning in warnings {
            self.warn.call1(py, (warning.text, warning.code.as_str()))?;
        }
        Ok(())
    }
}

#[pymethods]
impl Session {
    /// The time of the last communication point, and whether the run can continue.
    fn state(&self, py: Python<'_>) -> PyResult<(f64, bool)> {
        self.call(py, |session| Ok((session.time(), session.can_continue())))
    }

    /// Advances to the first communication point at or after a time, or exactly to it.
    fn advance_to(&self, py: Python<'_>, time: f64, exactly: bool) -> PyResult<bool> {
        let act = move |session: &mut lotka::Session<'static>| {
            if exactly { session.advance_exactly_to(time) } else { Ok(session.advance_to(time)) }
        };
        self.advance(py, act)
    }

    /// Makes one step.
    fn step(&self, py: Python<'_>) -> PyResult<bool> {
        self.advance(py, |session| Ok(session.step()))
    }

    /// The values of variables.
    fn get(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Vec<Py<PyAny>>> {
        let read = move |session: &mut lotka::Session<'static>| {
            names.iter().map(|name| session.get(name)).collect::<Result<Vec<_>, _>>()
        };
        self.call(py, read)?.into_iter().map(|value| python_value(py, value)).collect()
    }

    /// Sets variables; if one of them is refused, those before it are set.
    fn set(&self, py: Python<'_>, values: Vec<(String, Given)>) -> PyResult<()> {
        self.call(py, |session| values.into_iter().try_for_each(|(name, value)| session.set(&name, value)))
    }

    /// Connects an input again.
    fn reconnect(&self, py: Python<'_>, name: String) -> PyResult<()> {
        self.call(py, move |session| session.reconnect(&name))
    }

    /// Saves this point.
    fn save(&self, py: Python<'_>) -> PyResult<SavedPoint> {
        Ok(SavedPoint { mark: self.call(py, lotka::Session::save)? })
    }

    /// Returns to a saved point.
    fn restore(&self, py: Python<'_>, point: &SavedPoint) -> PyResult<()> {
        let mark = point.mark.clone();
        self.call(py, move |session| session.restore(&mark))
    }

    /// Follows the clock.
    fn pace(&self, py: Python<'_>, factor: Option<f64>) -> PyResult<()> {
        if factor.is_some_and(|factor| factor.is_nan() || factor <= 0.0) {
            return Err(PyValueError::new_err("expected a positive factor"));
        }
        self.call(py, move |session| {
            session.pace(factor);
            Ok(())
        })
    }

    /// Number of steps that ended late, and the longest delay.
    fn overruns(&self, py: Python<'_>) -> PyResult<(u64, f64)> {
        self.call(py, |session| Ok((session.overruns().count, session.overruns().longest.as_secs_f64())))
    }

    /// Ends the run. Returns the rows, and the exception that ended it, if there is one.
    fn finish(&self, py: Python<'_>) -> PyResult<(Rows, Option<Py<PyAny>>)> {
        let simulation = self.simulation.get();
        let (result, of_model) = simulation.worker().finish(py, self.number)?;
        self.pass_on(py)?;
        let memory = std::mem::take(&mut self.recorder.lock().memory);
        let (report, failure) = match result {
            Ok(report) => (report, None),
            Err(failure) => (failure.report.clone(), Some(of_model.unwrap_or_else(|| error::of_run(py, &failure)))),
        };
        Ok((simulation.rows(memory, report), failure.map(|error| error.into_value(py).into_any())))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.simulation.get().worker().abandon(self.number);
    }
}
