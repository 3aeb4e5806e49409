//! Sweeps: many runs of a system, and the records of a study.

use std::{
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::mpsc::{Sender, channel},
    thread,
    time::{Duration, Instant},
};

use lotka::{
    Axis, CancelToken, Column, Error, Keep, RunRecord, Sampling, Shard, StartValue, Sweep, SweepParameter, SweepTable,
    SweepTableError, TypedValue,
};
use pyo3::{exceptions::PyValueError, prelude::*, pybacked::PyBackedBytes};

use crate::{
    error,
    records::{Found, found},
    session::Given,
    worker::{Wait, wait},
};

/// The values of a parameter: the bytes of an array of real numbers, or any values.
#[derive(FromPyObject)]
pub(crate) enum Values {
    Reals(PyBackedBytes),
    Given(Vec<Given>),
}

impl From<Values> for Axis {
    fn from(values: Values) -> Self {
        let real = |bytes: &[u8; 8]| StartValue::Real(f64::from_ne_bytes(*bytes));
        Self::Values(match values {
            Values::Reals(bytes) => bytes.as_chunks().0.iter().map(real).collect(),
            Values::Given(values) => values.into_iter().map(StartValue::from).collect(),
        })
    }
}

/// Parameters with their values.
pub(crate) type Parameters = Vec<(String, Values)>;

/// What is kept of each run: words, names of variables, times.
pub(crate) type Kept = (Vec<String>, Option<Vec<String>>, Vec<f64>);

/// Makes a study of a system.
pub(crate) fn study(system: lotka::System, sampling: Sampling, parameters: Parameters, kept: Kept) -> Result<Sweep, Error> {
    let (words, variables, times) = kept;
    let has = |word: &str| words.iter().any(|known| known == word);
    let keep = Keep {
        variables: variables.map(|names| names.into_iter().map(Into::into).collect::<Vec<_>>().into()),
        finals: has("final"),
        minima: has("minimum"),
        maxima: has("maximum"),
        times: times.into_iter().map(Into::into).collect(),
        rows: false,
    };
    let parameter = |(name, values): (String, Values)| SweepParameter { name: name.into(), axis: values.into() };
    Sweep::of(system, sampling, parameters.into_iter().map(parameter).collect(), keep)
}

/// What the thread of a sweep sends.
enum Message {
    /// A run is done, of so many.
    Done(usize, usize),
    Ended(Box<Ended>),
}

/// Why a sweep ended before it began, or its columns.
type Ended = Result<Records, Failed>;

enum Failed {
    System(Error),
    Table(SweepTableError),
    Write(std::io::Error),
    Panic(String),
}

/// The columns of the records, and the messages of runs that failed.
#[derive(Default)]
struct Records {
    columns: Vec<(Column, Vec<TypedValue>)>,
    messages: Vec<(usize, String)>,
    is_complete: bool,
    /// How long it took to open the FMUs.
    opening: Duration,
}

impl Records {
    fn add(&mut self, record: RunRecord) {
        self.columns.iter_mut().zip(record.values).for_each(|((_, values), value)| values.push(value));
        self.messages.extend(record.message.map(|message| (record.run, message)));
    }
}

/// A file of records, its shard, and whether it is continued.
pub(crate) type Target = (PathBuf, (usize, usize), bool);

/// Interval between two checks whether the runs are still wanted.
const POLL: Duration = Duration::from_millis(500);

/// What is called while runs are made: with the number of runs that are done and that of all; to ask whether they are still
/// wanted.
#[derive(Default)]
pub(crate) struct Callbacks {
    pub(crate) on_progress: Option<Py<PyAny>>,
    pub(crate) is_wanted: Option<Py<PyAny>>,
}

struct Waiting<'a> {
    callbacks: Callbacks,
    /// Time of the last check whether the runs are still wanted.
    asked: Instant,
    cancel: &'a CancelToken,
    raised: Option<PyErr>,
}

impl Waiting<'_> {
    /// Ends the runs if they are not wanted any more.
    fn ask(&mut self, py: Python<'_>) {
        let Some(is_wanted) = self.callbacks.is_wanted.as_ref().filter(|_| self.asked.elapsed() >= POLL) else { return };
        match is_wanted.call0(py).and_then(|answer| answer.is_truthy(py)) {
            Ok(true) => {}
            Ok(false) => self.cancel.cancel(),
            Err(error) => self.end(error),
        }
        self.asked = Instant::now();
    }

    fn end(&mut self, error: PyErr) {
        self.cancel.cancel();
        self.raised.get_or_insert(error);
    }
}

impl Wait<Message> for Waiting<'_> {
    type Result = Box<Ended>;

    fn message(&mut self, py: Python<'_>, message: Message) -> Option<Box<Ended>> {
        match message {
            Message::Done(done, runs) => {
                let on_progress = self.callbacks.on_progress.as_ref();
                if let Err(error) = on_progress.map_or(Ok(()), |call| call.call1(py, (done, runs)).map(drop)) {
                    self.end(error);
                }
                self.ask(py);
                None
            }
            Message::Ended(ended) => Some(ended),
        }
    }

    fn tick(&mut self, py: Python<'_>) {
        self.ask(py);
    }

    fn interrupt(&mut self) -> bool {
        self.cancel.cancel();
        true
    }
}

/// The records: their columns, the messages of runs that failed, whether all runs were made, the exception that ended them, and
/// how long it took to open the FMUs \[s\].
pub(crate) type Outcome = (Vec<Found>, Vec<(usize, String)>, bool, Option<Py<PyAny>>, f64);

/// How many runs are made at a time: by default one per processor. With none, the study is checked only.
pub(crate) type Jobs = Option<usize>;

/// Makes the runs on a thread of its own.
pub(crate) fn run(
    py: Python<'_>,
    make: impl FnOnce() -> Result<Sweep, Error> + Send + 'static,
    jobs: Jobs,
    target: Option<Target>,
    callbacks: Callbacks,
) -> PyResult<Outcome> {
    let (sender, receiver) = channel();
    let shard = match &target {
        None => Shard::ALL,
        Some((_, (number, of), _)) => {
            let unfit = || PyValueError::new_err("expected a shard (k, n) with k from 1 to n");
            Shard::new(*number, *of).ok_or_else(unfit)?
        }
    };
    let cancel = CancelToken::new();
    let of_thread = cancel.clone();
    let work = move || {
        let made = AssertUnwindSafe(|| records(make, jobs, shard, target, &of_thread, &sender));
        let ended = panic::catch_unwind(made).unwrap_or_else(|panic| Err(Failed::Panic(error::text(&*panic))));
        // Without a receiver nobody waits any more.
        let _ = sender.send(Message::Ended(Box::new(ended)));
    };
    thread::Builder::new().name("lotka-sweep".to_owned()).spawn(work)?;
    let mut waiting = Waiting { callbacks, asked: Instant::now(), cancel: &cancel, raised: None };
    let (ended, interrupted) = wait(py, receiver, &mut waiting)?;
    let raised = interrupted.or(waiting.raised);
    let records = match ended.map(|ended| *ended) {
        Some(Ok(records)) => records,
        Some(Err(failed)) => return Err(raised.unwrap_or_else(|| exception(py, &failed))),
        None => return Err(error::internal(py, &"the thread of a sweep ended")),
    };
    let columns = records.columns.into_iter().map(|(column, values)| found(py, column, values)).collect::<PyResult<_>>()?;
    let raised = raised.map(|error| error.into_value(py).into_any());
    Ok((columns, records.messages, records.is_complete, raised, records.opening.as_secs_f64()))
}

fn exception(py: Python<'_>, failed: &Failed) -> PyErr {
    match failed {
        Failed::System(failed) => error::of(py, failed),
        Failed::Table(failed) => {
            use lotka::Coded as _;
            error::exception(py, "SaveError", &failed.to_string(), failed.code(), &[])
        }
        Failed::Write(failed) => error::exception(py, "SaveError", &failed.to_string(), lotka::Code::UnwritableFile, &[]),
        Failed::Panic(text) => error::internal(py, text),
    }
}

fn records(
    make: impl FnOnce() -> Result<Sweep, Error>,
    jobs: Jobs,
    shard: Shard,
    target: Option<Target>,
    cancel: &CancelToken,
    sender: &Sender<Message>,
) -> Ended {
    let begin = Instant::now();
    let mut sweep = make().map_err(Failed::System)?.canceled_by(cancel.clone());
    if let Some(jobs) = jobs {
        sweep = sweep.threads(jobs);
    }
    let mut table = match target {
        None => None,
        Some((path, _, true)) => Some(SweepTable::resume(&sweep, &path, shard).map_err(Failed::Table)?),
        Some((path, _, false)) => Some(SweepTable::create(&sweep, &path, shard).map_err(Failed::Table)?),
    };
    let columns = sweep.columns().into_iter().map(|column| (column, Vec::new())).collect();
    let mut records = Records { columns, opening: begin.elapsed(), ..Records::default() };
    if jobs == Some(0) {
        return Ok(records);
    }
    let (from, runs) = (table.as_ref().map_or(0, SweepTable::done), shard.len(sweep.n_runs()));
    let mut done = from;
    let result = sweep.run(shard, from, |record| {
        done += 1;
        if let Some(table) = &mut table {
            table.add(&record);
            table.flush_if_worthwhile();
        }
        records.add(record);
        match sender.send(Message::Done(done, runs)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    table.map_or(Ok(()), SweepTable::finish).map_err(Failed::Write)?;
    records.is_complete = result.map_err(Failed::System)?;
    Ok(records)
}

/// Makes the runs of a study in a file, and writes its records.
#[pyfunction]
#[pyo3(signature = (study, target, jobs, on_progress))]
pub(crate) fn sweep_file(
    py: Python<'_>,
    study: PathBuf,
    target: Target,
    jobs: Jobs,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let callbacks = Callbacks { on_progress, ..Callbacks::default() };
    run(py, move || Sweep::from_file(study), jobs, Some(target), callbacks)
}
