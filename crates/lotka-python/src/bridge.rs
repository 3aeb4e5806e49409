//! What the thread of a run sends to the thread that waits for it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
    mpsc::{Sender, SyncSender, sync_channel},
};

use lotka::{CancelToken, LogMessage, Memory, Notification, Observer, Report, Row, RunFailure, StepSizes, Value, Warning};
use lotka_report::History;
use pyo3::PyErr;

/// A message of a run.
pub(crate) enum Message {
    /// An FMU logged.
    Log(LogMessage),
    /// A warning.
    Warning(Warning),
    /// A row, if rows are asked for; the run waits until it is answered whether it goes on.
    Row { time: f64, values: Vec<Cell>, answer: SyncSender<bool> },
    /// The run has ended.
    Ended(Box<Ended>),
}

/// A value of a row.
pub(crate) enum Cell {
    Real(f64),
    Integer(i128),
    Boolean(bool),
    Text(String),
    Binary(Vec<u8>),
}

/// What a run left.
pub(crate) struct Ended {
    pub(crate) result: Result<Report, Box<RunFailure>>,
    pub(crate) memory: Memory,
    /// The steps, if they are recorded.
    pub(crate) steps: Option<Steps>,
    /// The exception that a model in Python raised.
    pub(crate) raised: Option<PyErr>,
}

/// The steps of a run.
#[derive(Default)]
pub(crate) struct Steps {
    pub(crate) sizes: StepSizes,
    pub(crate) history: History,
}

impl Observer for Steps {
    fn observe(&mut self, notification: &Notification<'_>) {
        self.sizes.observe(notification);
        self.history.observe(notification);
    }
}

/// How far a run is.
#[derive(Default)]
pub(crate) struct Progress {
    /// Bits of start, stop and present time \[s\].
    times: [AtomicU64; 3],
}

impl Progress {
    /// Start, stop and present time \[s\].
    pub(crate) fn times(&self) -> [f64; 3] {
        [0, 1, 2].map(|place| f64::from_bits(self.times[place].load(Ordering::Relaxed)))
    }

    fn store(&self, place: usize, time: f64) {
        self.times[place].store(time.to_bits(), Ordering::Relaxed);
    }
}

/// Sends on what the other thread wants to know.
pub(crate) struct Bridge {
    pub(crate) sender: Sender<Message>,
    pub(crate) cancel: CancelToken,
    pub(crate) with_rows: bool,
    pub(crate) progress: Option<Arc<Progress>>,
}

impl Bridge {
    fn row(&self, row: Row<'_>) {
        let cell = |value| match value {
            Value::Real(value) => Cell::Real(value),
            Value::Integer(value) => Cell::Integer(value),
            Value::Boolean(value) => Cell::Boolean(value),
            Value::Text(value) => Cell::Text(value.to_owned()),
            Value::Binary(value) => Cell::Binary(value.to_owned()),
        };
        let (answer, answered) = sync_channel(1);
        let sent = self.sender.send(Message::Row { time: row.time, values: row.values().map(cell).collect(), answer });
        let goes_on = sent.is_ok() && answered.recv().unwrap_or(false);
        if !goes_on {
            self.cancel.cancel();
        }
    }
}

impl Observer for Bridge {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            // If nobody listens any more, the run is canceled.
            Notification::Log(message) => drop(self.sender.send(Message::Log((*message).clone()))),
            Notification::Warning(warning) => drop(self.sender.send(Message::Warning((*warning).clone()))),
            Notification::Row(row) if self.with_rows && !self.cancel.is_canceled() => self.row(*row),
            Notification::Started { start, stop, .. } => {
                if let Some(progress) = &self.progress {
                    [*start, *stop, *start].into_iter().enumerate().for_each(|(place, time)| progress.store(place, time));
                }
            }
            Notification::StepAccepted { time, .. } => {
                if let Some(progress) = &self.progress {
                    progress.store(2, *time);
                }
            }
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        self.progress.is_some()
    }
}
