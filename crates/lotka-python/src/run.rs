//! A run: what the thread of the simulation does, and what the waiting thread does meanwhile.

use std::sync::{Arc, mpsc::Sender};

use lotka::{CancelToken, Memory, Observer, ProgressToken};
use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyBytes, PyDict},
};

use crate::{
    bridge::{Bridge, Cell, Ended, Message, Progress, Steps},
    model,
    worker::Wait,
};

/// What the caller wants to be called for.
pub(crate) struct Callbacks {
    /// Called with instance, status, category and text of each line that an FMU logs.
    pub(crate) log: Py<PyAny>,
    /// Called with text and code of each warning.
    pub(crate) warn: Py<PyAny>,
    /// Called with time and values of each row.
    pub(crate) on_row: Option<Py<PyAny>>,
    /// Called with the number of the run and how much of it is done, from time to time.
    pub(crate) on_progress: Option<Py<PyAny>>,
}

/// The job of the thread of the simulation.
pub(crate) fn job(
    cancel: CancelToken,
    with_rows: bool,
    with_steps: bool,
    progress: Option<Arc<Progress>>,
) -> impl FnOnce(&mut lotka::Simulation, &Sender<Message>) + Send + 'static {
    move |simulation, sender| {
        cancel.reset();
        drop(model::take_raised());
        let mut memory = Memory::new();
        let mut steps = with_steps.then(Steps::default);
        let mut bridge = Bridge { sender: sender.clone(), cancel, with_rows, progress };
        let mut observers: Vec<&mut dyn Observer> = vec![&mut memory];
        observers.extend(steps.as_mut().map(|steps| steps as &mut dyn Observer));
        observers.push(&mut bridge);
        let result = simulation.run(&mut observers);
        let ended = Ended { result, memory, steps, raised: model::take_raised() };
        // Without a receiver nobody waits any more.
        let _ = sender.send(Message::Ended(Box::new(ended)));
    }
}

/// The thread that waits.
pub(crate) struct Waiting<'a> {
    pub(crate) callbacks: Callbacks,
    pub(crate) names: Vec<&'a str>,
    pub(crate) cancel: &'a CancelToken,
    /// Progress of a single run, and of the runs of a `tolerance`.
    pub(crate) progress: Option<Arc<Progress>>,
    pub(crate) runs: &'a ProgressToken,
    /// The first exception of a callback, which canceled the run.
    pub(crate) raised: Option<PyErr>,
}

impl Waiting<'_> {
    fn row(&self, py: Python<'_>, time: f64, values: Vec<Cell>) -> PyResult<()> {
        let Some(on_row) = &self.callbacks.on_row else { return Ok(()) };
        let row = PyDict::new(py);
        for (name, value) in self.names.iter().zip(values) {
            let value = match value {
                Cell::Real(value) => value.into_py_any(py)?,
                Cell::Integer(value) => value.into_py_any(py)?,
                Cell::Boolean(value) => value.into_py_any(py)?,
                Cell::Text(value) => value.into_py_any(py)?,
                Cell::Binary(value) => PyBytes::new(py, &value).into_any().unbind(),
            };
            row.set_item(name, value)?;
        }
        on_row.call1(py, (time, row)).map(drop)
    }

    fn note(&mut self, called: PyResult<()>) {
        if let Err(error) = called {
            self.cancel.cancel();
            self.raised.get_or_insert(error);
        }
    }
}

impl Wait<Message> for Waiting<'_> {
    type Result = Box<Ended>;

    fn message(&mut self, py: Python<'_>, message: Message) -> Option<Box<Ended>> {
        let called = match message {
            Message::Ended(ended) => return Some(ended),
            Message::Log(line) => {
                let status = line.status.map_or("", |status| status.name());
                self.callbacks.log.call1(py, (line.instance, status, line.category, line.message)).map(drop)
            }
            Message::Warning(warning) => self.callbacks.warn.call1(py, (warning.text, warning.code.as_str())).map(drop),
            Message::Row { time, values, answer } => {
                let called = self.row(py, time, values);
                let _ = answer.send(called.is_ok());
                called
            }
        };
        self.note(called);
        None
    }

    fn tick(&mut self, py: Python<'_>) {
        let (Some(on_progress), Some(progress)) = (&self.callbacks.on_progress, &self.progress) else { return };
        let [start, stop, mut time] = progress.times();
        let runs = self.runs.runs();
        if let Some(run) = runs.last() {
            time = run.time;
        }
        let share = if stop > start { ((time - start) / (stop - start)).clamp(0.0, 1.0) } else { 0.0 };
        let called = on_progress.call1(py, (runs.last().map_or(0, |run| run.steps), share)).map(drop);
        self.note(called);
    }

    fn interrupt(&mut self) -> bool {
        self.cancel.cancel();
        true
    }
}
