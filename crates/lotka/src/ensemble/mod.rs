//! Many runs of one system with different start values.

mod member;
#[cfg(test)]
mod tests;
mod worker;

pub use member::Member;

use std::{
    collections::BTreeMap,
    fmt,
    ops::{ControlFlow, Range},
    panic,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use lotka_run::CancelToken;
use lotka_system::StartValue;
use worker::{Blueprint, Worker};

use crate::{Error, Simulation, System};

/// Number of runs after which the processes of isolated FMUs are started again: some FMUs die after about a thousand
/// instantiations.
const RECYCLE: u64 = 500;

/// Many runs of one system with different start values, on several threads.
///
/// FMUs are opened once for each thread. Each run is bit by bit that of a simulation that was built for it, whatever the number
/// of threads and whatever ran before. A run that fails is a result; the others are not affected.
///
/// ```
/// use lotka::{Ensemble, Fmu, StartValue, System};
/// # let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
/// # let predator = Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
/// # let system = System::new().instance_of("prey", &prey).instance_of("predator", &predator);
/// # let system = system.connect("prey.y", "predator.y").connect("predator.x", "prey.x").stop(10.0).tolerance(1e-6);
///
/// let mut ensemble = Ensemble::new(&system)?.threads(2);
/// let largest = ensemble.run(
///     0..10,
///     |run| vec![("prey.a", StartValue::Real(0.05 + 0.01 * run as f64))],
///     |member| member.rows.real("prey.x").unwrap_or_default().iter().copied().fold(0.0, f64::max),
/// )?;
/// assert_eq!(largest.len(), 10);
/// # Ok::<(), lotka::Error>(())
/// ```
pub struct Ensemble {
    blueprint: Blueprint,
    threads: Option<usize>,
    cancel: CancelToken,
    /// Those of earlier runs; the first always exists.
    workers: Vec<Worker>,
}

impl fmt::Debug for Ensemble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ensemble").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Ensemble {
    /// Builds the system once, which checks it and opens its FMUs.
    ///
    /// # Errors
    /// As for [`System::build`].
    pub fn new(system: &System) -> Result<Self, Error> {
        let cancel = CancelToken::new();
        let (blueprint, first) = Blueprint::new(system, &cancel)?;
        Ok(Self { blueprint, threads: None, cancel, workers: vec![first] })
    }

    /// The simulation of the first thread, which exists before the first run.
    pub(crate) fn first(&mut self) -> &mut Simulation {
        self.workers[0].simulation.as_mut().expect("a new ensemble has built its first simulation")
    }

    /// Sets the number of threads; the default is the number of processors. The results are the same, bit for bit.
    ///
    /// All but the first thread run FMUs in processes of their own, unless these are known to be thread-safe. A model that is
    /// part of this program and not known to be thread-safe leaves one thread.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Opens the FMUs of a thread again after this number of its runs. The default is 500 if one of them runs in a process of its
    /// own, and never otherwise.
    #[must_use]
    pub fn recycle(mut self, runs: u64) -> Self {
        self.blueprint.recycle = Some(runs.max(1));
        self
    }

    /// Makes this token the one that ends the runs.
    #[must_use]
    pub fn canceled_by(mut self, cancel: CancelToken) -> Self {
        self.workers.iter_mut().for_each(|worker| worker.obey(&cancel));
        self.cancel = cancel;
        self
    }

    /// Returns a token that ends the runs from another thread. Use [`CancelToken::reset`] before later runs.
    #[must_use]
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// Makes these runs; returns what `reduce` makes of each, in their order.
    ///
    /// `start_values` returns the start values of a run; variables that it leaves out have those of the system. `reduce` receives
    /// the rows and the report, or the error, on the thread of the run. If the ensemble is canceled, the results are those of the
    /// runs before the first one that was not completed.
    ///
    /// # Errors
    /// The FMUs cannot be opened for another thread.
    pub fn run<N: AsRef<str>, R: Send>(
        &mut self,
        runs: Range<usize>,
        start_values: impl Fn(usize) -> Vec<(N, StartValue)> + Sync,
        reduce: impl Fn(&Member<'_>) -> R + Sync,
    ) -> Result<Vec<R>, Error> {
        let mut results = Vec::with_capacity(runs.len());
        self.run_each(runs, start_values, reduce, |_, result| {
            results.push(result);
            ControlFlow::Continue(())
        })?;
        Ok(results)
    }

    /// Makes these runs, and passes what `reduce` makes of each to `receive`: in their order, on this thread, as soon as all
    /// results before it are there. [`ControlFlow::Break`] ends the runs. Returns whether all runs were made.
    ///
    /// # Errors
    /// As for [`Ensemble::run`].
    pub fn run_each<N: AsRef<str>, R: Send>(
        &mut self,
        runs: Range<usize>,
        start_values: impl Fn(usize) -> Vec<(N, StartValue)> + Sync,
        reduce: impl Fn(&Member<'_>) -> R + Sync,
        receive: impl FnMut(usize, R) -> ControlFlow<()>,
    ) -> Result<bool, Error> {
        let Self { blueprint, threads, cancel, workers } = self;
        let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
        let threads = if blueprint.allows_threads() { threads.clamp(1, runs.len().max(1)) } else { 1 };
        workers.truncate(threads);
        workers.resize_with(threads, Worker::new);
        let next = &AtomicUsize::new(runs.start);
        let (sender, receiver) = channel();
        let work = |number: usize, worker: &mut Worker, sender: Sender<Message<R>>| {
            let place = blueprint.place(number);
            while !cancel.is_canceled() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= runs.end {
                    break;
                }
                let result = worker.run(place, cancel, index, start_values(index), &reduce);
                if sender.send(result.map(|result| (index, result))).is_err() {
                    break;
                }
            }
        };
        thread::scope(|scope| {
            let mut handles = Vec::with_capacity(threads);
            for (number, worker) in workers.iter_mut().enumerate() {
                let (sender, work) = (sender.clone(), &work);
                handles.push(scope.spawn(move || work(number, worker, sender)));
            }
            drop(sender);
            let outcome = receive_in_order(&receiver, &runs, receive);
            if !matches!(outcome, Ok(true)) {
                // Runs whose results nobody receives are made no more.
                next.store(runs.end, Ordering::Relaxed);
            }
            drop(receiver);
            for handle in handles {
                // A panic on another thread continues on this one.
                handle.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
            }
            outcome
        })
    }
}

/// The result of a run; `None` if it was canceled. An error if the FMUs cannot be opened.
type Message<R> = Result<(usize, Option<R>), Error>;

/// Passes results on in their order. Returns whether all were.
fn receive_in_order<R>(
    receiver: &Receiver<Message<R>>,
    runs: &Range<usize>,
    mut receive: impl FnMut(usize, R) -> ControlFlow<()>,
) -> Result<bool, Error> {
    let (mut early, mut due) = (BTreeMap::new(), runs.start);
    for message in receiver {
        let (index, result) = message?;
        early.insert(index, result);
        while let Some(result) = early.remove(&due) {
            let Some(result) = result else { return Ok(false) };
            if receive(due, result).is_break() {
                return Ok(due + 1 == runs.end);
            }
            due += 1;
        }
    }
    Ok(due == runs.end)
}
