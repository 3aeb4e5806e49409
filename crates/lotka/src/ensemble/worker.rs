//! The simulation of one thread.

use lotka_run::{CancelToken, End, record::Memory};
use lotka_system::StartValue;

use super::{Member, RECYCLE};
use crate::{Error, Simulation, System};

/// The systems of all threads.
pub(super) struct Blueprint {
    /// That of the first thread.
    first: System,
    /// That of all others: FMUs that are not known to be thread-safe run in processes of their own. `None` if there can be no
    /// other thread.
    other: Option<System>,
    pub(super) recycle: Option<u64>,
}

/// The system of one thread, and the number of runs after which it is built again.
#[derive(Clone, Copy)]
pub(super) struct SystemOfThread<'a> {
    system: &'a System,
    recycle: u64,
}

impl Blueprint {
    /// Builds the system of the first thread.
    pub(super) fn new(system: &System, cancel: &CancelToken) -> Result<(Self, Worker), Error> {
        let first = system.clone().threads(1);
        let mut worker = Worker::new();
        worker.build(&first, cancel)?;
        let models = worker.simulation.as_ref().map_or(&[][..], |simulation| &simulation.models);
        let other = first.for_another_thread(models);
        Ok((Self { first, other, recycle: None }, worker))
    }

    pub(super) fn allows_threads(&self) -> bool {
        self.other.is_some()
    }

    pub(super) fn place(&self, thread: usize) -> SystemOfThread<'_> {
        let system = match &self.other {
            Some(other) if thread > 0 => other,
            _ => &self.first,
        };
        let default = if system.has_hosts() { RECYCLE } else { u64::MAX };
        SystemOfThread { system, recycle: self.recycle.unwrap_or(default) }
    }
}

/// The simulation of one thread.
#[derive(Default)]
pub(super) struct Worker {
    /// `None` before its first run, and if it has to be built again.
    pub(super) simulation: Option<Simulation>,
    rows: Memory,
    /// Number of runs of the simulation.
    count: u64,
}

impl Worker {
    pub(super) fn new() -> Self {
        Self::default()
    }

    fn build(&mut self, system: &System, cancel: &CancelToken) -> Result<&mut Simulation, Error> {
        let mut simulation = system.build()?;
        simulation.engine.obey(cancel.clone());
        self.count = 0;
        Ok(self.simulation.insert(simulation))
    }

    pub(super) fn obey(&mut self, cancel: &CancelToken) {
        self.simulation.iter_mut().for_each(|simulation| simulation.engine.obey(cancel.clone()));
    }

    /// Makes one run; returns `None` if it was canceled.
    pub(super) fn run<N: AsRef<str>, R>(
        &mut self,
        SystemOfThread { system, recycle }: SystemOfThread<'_>,
        cancel: &CancelToken,
        index: usize,
        values: Vec<(N, StartValue)>,
        reduce: &impl Fn(&Member<'_>) -> R,
    ) -> Result<Option<R>, Error> {
        let mut rows = std::mem::take(&mut self.rows);
        let simulation = match &mut self.simulation {
            Some(simulation) => simulation,
            None => self.build(system, cancel)?,
        };
        rows.clear();
        let outcome = match simulation.replace_starts(&system.description().start_values, values) {
            Ok(()) => simulation.run(&mut [&mut rows]).map_err(Error::from),
            Err(error) => Err(error),
        };
        self.count += 1;
        if self.count >= recycle || outcome.as_ref().is_err_and(|error| error.ended_process() || error.is_fatal()) {
            self.simulation = None;
        }
        let is_canceled = outcome.as_ref().is_ok_and(|report| report.end == End::Canceled);
        let result = (!is_canceled).then(|| reduce(&Member { index, rows: &rows, outcome: &outcome }));
        self.rows = rows;
        Ok(result)
    }
}
