//! The thread that owns a simulation: it builds it, makes its runs one after the other, and frees it. FMUs see one thread only.
//!
//! Whoever gives it a job waits without the interpreter lock, and looks for signals from time to time.

use std::{
    process,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use lotka::{Error, Observer, Report, RunFailure, System};
use pyo3::prelude::*;

use crate::{error, model};

/// How often a waiting thread looks for signals.
const TICK: Duration = Duration::from_millis(50);

/// Stack of the thread, as that of a main thread \[byte\].
const STACK: usize = 8 << 20;

/// What the thread does with its simulation.
type Job = Box<dyn FnOnce(&mut Seat) + Send>;

/// The end of a session, and the exception that a model in Python raised.
pub(crate) type Finished = (Result<Report, Box<RunFailure>>, Option<PyErr>);

/// What a thread has: a simulation, or a session of it.
pub(crate) enum Seat {
    Simulation(Box<lotka::Simulation>),
    Session(Box<lotka::Session<'static>>),
    /// A job has panicked.
    Empty,
}

/// What the thread that waits does meanwhile.
pub(crate) trait Wait<M> {
    /// What it waits for.
    type Result;

    /// Handles a message; one is the result.
    fn message(&mut self, py: Python<'_>, message: M) -> Option<Self::Result>;

    /// Called from time to time.
    fn tick(&mut self, _py: Python<'_>) {}

    /// Called if a signal handler raises. Whether the job ends soon with a result; otherwise nobody waits for it any more.
    fn interrupt(&mut self) -> bool {
        false
    }
}

/// Waits for the only message.
pub(crate) struct Only;

impl<M> Wait<M> for Only {
    type Result = M;

    fn message(&mut self, _py: Python<'_>, message: M) -> Option<M> {
        Some(message)
    }
}

/// A simulation on its thread.
pub(crate) struct Worker {
    /// `None` after the end of the thread.
    thread: Mutex<Option<Running>>,
    /// The process in which the thread is.
    process: u32,
    /// The number of its session, while it has one instead of a simulation; otherwise 0.
    session: Arc<AtomicU64>,
    /// The number of the last session.
    sessions: AtomicU64,
}

struct Running {
    jobs: Sender<Job>,
    handle: JoinHandle<()>,
}

impl Worker {
    /// Builds a simulation.
    ///
    /// # Errors
    /// The exception for the error of the system, or that of a signal handler.
    pub(crate) fn build(py: Python<'_>, system: System) -> PyResult<Self> {
        let (jobs, inbox) = channel::<Job>();
        let (sender, receiver) = channel::<Option<Error>>();
        let life = move || match system.build() {
            Ok(simulation) => {
                let is_wanted = sender.send(None).is_ok();
                let mut seat = Seat::Simulation(Box::new(simulation));
                while let (true, Ok(job)) = (is_wanted, inbox.recv()) {
                    job(&mut seat);
                }
                // Whoever wants to know about the end calls `close`.
                let simulation = match seat {
                    Seat::Simulation(simulation) => *simulation,
                    Seat::Session(session) => session.finish().0,
                    Seat::Empty => return,
                };
                let _ = simulation.close();
            }
            Err(error) => drop(sender.send(Some(error))),
        };
        let handle = thread::Builder::new().name("lotka".to_owned()).stack_size(STACK).spawn(life)?;
        match wait(py, receiver, &mut Only)?.0 {
            Some(None) => {
                let thread = Mutex::new(Some(Running { jobs, handle }));
                Ok(Self { thread, process: process::id(), session: Arc::default(), sessions: AtomicU64::new(0) })
            }
            Some(Some(failed)) => Err(error::of(py, &failed)),
            None => Err(lost(py, handle)),
        }
    }

    /// Gives the thread a job with its simulation, and waits for its result. The exception of a signal handler is returned beside
    /// it.
    ///
    /// # Errors
    /// The simulation is in use, in a session, in another process, or closed; or the exception of a signal handler where there is
    /// no result.
    pub(crate) fn call<M: Send + 'static, W: Wait<M>>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut lotka::Simulation, &Sender<M>) + Send + 'static,
        waiter: &mut W,
    ) -> PyResult<(W::Result, Option<PyErr>)> {
        if self.session.load(Ordering::Acquire) != 0 {
            let message = "this simulation is in a session; finish the session first";
            return Err(error::usage(py, "BusyError", message));
        }
        let with_simulation = move |seat: &mut Seat, sender: &Sender<M>| {
            if let Seat::Simulation(simulation) = seat {
                job(simulation, sender);
            }
        };
        self.call_seat(py, with_simulation, waiter)
    }

    /// Begins a session with these observers, and returns its number.
    ///
    /// # Errors
    /// As for [`Worker::call`], or the simulation can have no session.
    pub(crate) fn start(&self, py: Python<'_>, observers: Vec<Box<dyn Observer + Send>>) -> PyResult<u64> {
        let check = |simulation: &mut lotka::Simulation, sender: &Sender<Result<(), Error>>| {
            let _ = sender.send(simulation.check_session());
        };
        self.call(py, check, &mut Only)?.0.map_err(|failed| error::of(py, &failed))?;
        let start = move |seat: &mut Seat, sender: &Sender<()>| {
            let before = std::mem::replace(seat, Seat::Empty);
            drop(model::take_raised());
            *seat = match before {
                // It can have one, as was checked.
                Seat::Simulation(simulation) => {
                    simulation.start(observers).map_or(Seat::Empty, |session| Seat::Session(Box::new(session)))
                }
                other => other,
            };
            let _ = sender.send(());
        };
        let number = self.sessions.fetch_add(1, Ordering::Relaxed) + 1;
        self.session.store(number, Ordering::Release);
        self.call_seat(py, start, &mut Only)?;
        Ok(number)
    }

    /// Gives the thread a job with the session of this number.
    ///
    /// # Errors
    /// As for [`Worker::call`], or the session is finished.
    pub(crate) fn with_session<M: Send + 'static, W: Wait<M>>(
        &self,
        py: Python<'_>,
        number: u64,
        job: impl FnOnce(&mut lotka::Session<'static>, &Sender<M>) + Send + 'static,
        waiter: &mut W,
    ) -> PyResult<(W::Result, Option<PyErr>)> {
        self.check_session(py, number)?;
        let with_session = move |seat: &mut Seat, sender: &Sender<M>| {
            if let Seat::Session(session) = seat {
                job(session, sender);
            }
        };
        self.call_seat(py, with_session, waiter)
    }

    fn check_session(&self, py: Python<'_>, number: u64) -> PyResult<()> {
        let message = "this session is finished; start another one";
        if self.session.load(Ordering::Acquire) == number { Ok(()) } else { Err(error::usage(py, "ClosedError", message)) }
    }

    /// Ends the session of this number.
    ///
    /// # Errors
    /// As for [`Worker::with_session`].
    pub(crate) fn finish(&self, py: Python<'_>, number: u64) -> PyResult<Finished> {
        self.check_session(py, number)?;
        let finish = |seat: &mut Seat, sender: &Sender<Finished>| {
            if let Seat::Session(session) = std::mem::replace(seat, Seat::Empty) {
                let (simulation, result) = session.finish();
                *seat = Seat::Simulation(Box::new(simulation));
                let _ = sender.send((result, model::take_raised()));
            }
        };
        let result = self.call_seat(py, finish, &mut Only)?.0;
        self.session.store(0, Ordering::Release);
        Ok(result)
    }

    /// Ends a session that nobody uses any more, without waiting, so that its simulation can run again.
    pub(crate) fn abandon(&self, number: u64) {
        let current = self.session.clone();
        if self.process != process::id() || current.load(Ordering::Acquire) != number {
            return;
        }
        let finish = move |seat: &mut Seat| {
            if let Seat::Session(session) = std::mem::replace(seat, Seat::Empty) {
                *seat = Seat::Simulation(Box::new(session.finish().0));
            }
            current.store(0, Ordering::Release);
        };
        // A thread that somebody uses belongs to a call that was interrupted.
        if let Some(running) = self.thread.try_lock().as_deref().ok().and_then(Option::as_ref) {
            let _ = running.jobs.send(Box::new(finish));
        }
    }

    fn call_seat<M: Send + 'static, W: Wait<M>>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Seat, &Sender<M>) + Send + 'static,
        waiter: &mut W,
    ) -> PyResult<(W::Result, Option<PyErr>)> {
        if process::id() != self.process {
            let message = "this simulation was built in another process, and instances of FMUs do not survive a fork; start \
                           processes with multiprocessing.get_context(\"spawn\"), or build the simulation in the new process";
            return Err(error::usage(py, "ForkError", message));
        }
        let mut thread = self.lock(py)?;
        let Some(running) = thread.as_ref() else {
            return Err(error::usage(py, "ClosedError", "this simulation is closed; build another one"));
        };
        let (sender, receiver) = channel();
        let sent = running.jobs.send(Box::new(move |seat| job(seat, &sender)));
        let result = if sent.is_ok() { wait(py, receiver, waiter) } else { Ok((None, None)) };
        match result {
            Ok((Some(result), raised)) => Ok((result, raised)),
            // A job without a result has panicked.
            Ok((None, _)) => Err(thread.take().map_or_else(|| error::internal(py, &""), |running| lost(py, running.handle))),
            Err(raised) => {
                // The thread may still be busy: it ends when it is done.
                *thread = None;
                Err(raised)
            }
        }
    }

    /// Ends the thread, which frees the instances.
    ///
    /// # Errors
    /// The simulation is in use.
    pub(crate) fn close(&self, py: Python<'_>) -> PyResult<()> {
        if process::id() == self.process {
            let running = self.lock(py)?.take();
            py.detach(|| {
                if let Some(Running { jobs, handle }) = running {
                    drop(jobs);
                    let _ = handle.join();
                }
            });
        }
        Ok(())
    }

    /// The thread, for one user at a time.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Option<Running>>> {
        match self.thread.try_lock() {
            Ok(thread) => Ok(thread),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                let message =
                    "this simulation is in use, by another thread or by the caller of this callback; build one for each thread";
                Err(error::usage(py, "BusyError", message))
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The thread of another process does not exist here, and joining it would last forever.
        if process::id() != self.process {
            std::mem::forget(self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

/// The exception for a thread that ended without a result.
fn lost(py: Python<'_>, handle: JoinHandle<()>) -> PyErr {
    match py.detach(|| handle.join()) {
        Err(panic) => error::internal(py, &*panic),
        Ok(()) => error::internal(py, &"the thread of a simulation ended"),
    }
}

/// Handles messages until one is the result. Returns none once all senders are gone. The first exception of a signal handler
/// cancels the job if it can be; otherwise, and for a second one, this returns at once.
pub(crate) fn wait<M: Send, W: Wait<M>>(
    py: Python<'_>,
    receiver: Receiver<M>,
    waiter: &mut W,
) -> PyResult<(Option<W::Result>, Option<PyErr>)> {
    let mut raised = None;
    let receiver = Mutex::new(receiver);
    loop {
        let received = py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK));
        match received {
            Ok(message) => {
                if let Some(result) = waiter.message(py, message) {
                    return Ok((Some(result), raised));
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok((None, raised)),
            Err(RecvTimeoutError::Timeout) => waiter.tick(py),
        }
        if let Err(error) = py.check_signals() {
            if raised.is_some() || !waiter.interrupt() {
                return Err(error);
            }
            raised = Some(error);
        }
    }
}
