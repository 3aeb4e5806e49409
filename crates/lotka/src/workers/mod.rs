//! Instances that step on threads of their own: in this process, at the same time.
//!
//! A [`Candidate`] measures its first steps. If they take long enough, its [replacement](Instance::replacement) steps on a worker thread or stays on the
//! thread of the run, whichever has less to do; otherwise it leaves no trace. Only the steps run on the workers; all other calls are made by
//! the thread of the run while the worker waits.

use std::{
    collections::VecDeque,
    hint, mem,
    panic::{self, AssertUnwindSafe},
    path::Path,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::forward::forward;
use lotka_instance::{
    BooleanRef, CallError, CallResult, Capabilities, Cause, Experiment, FunctionName, Instance, InstanceFactory,
    InstantiateOptions, InstantiationError, IntegerRef, ModelDescription, Phase, RealRef, Slot, StepBeside, StepOutcome,
    StringRef,
};

/// Shortest step that is worth a thread: handing it over and waiting for it takes about a fifth of that.
const SHORTEST: Duration = Duration::from_micros(5);

/// Number of times that a side checks before it sleeps: about as long as a wake-up takes.
const SPINS: u32 = 5_000;

/// The threads of one system, and how much each has to do per step.
#[derive(Debug)]
pub(crate) struct Workers {
    /// The first is the thread of the run.
    loads: Mutex<Vec<Duration>>,
    threads: Mutex<Vec<Option<Arc<Worker>>>>,
}

impl Workers {
    /// Up to `threads` threads, with that of the run; they start when they are needed.
    pub(crate) fn new(threads: usize) -> Arc<Self> {
        Arc::new(Self { loads: Mutex::new(vec![Duration::ZERO; threads]), threads: Mutex::new(vec![None; threads]) })
    }

    /// The thread for an instance whose steps take this long: `None` is the thread of the run.
    fn assign(&self, step: Duration) -> Option<Arc<Worker>> {
        let mut loads = lock(&self.loads);
        let least = (0..loads.len()).min_by_key(|&index| loads[index])?;
        loads[least] += step;
        if least == 0 {
            return None;
        }
        let mut threads = lock(&self.threads);
        if threads[least].is_none() {
            threads[least] = Worker::start().map(Arc::new);
        }
        threads[least].clone()
    }
}

/// A poisoned lock means that a call panicked, which ends the run anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread that makes the steps of its instances in the order in which they are posted.
#[derive(Debug)]
struct Worker {
    queue: Arc<Queue>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Queue {
    posted: Mutex<Posted>,
    changed: Condvar,
    /// Whether there is something in `posted`; checked without the lock.
    is_waiting: AtomicBool,
}

#[derive(Debug, Default)]
struct Posted {
    places: VecDeque<Arc<Place>>,
    ends: bool,
}

impl Worker {
    /// Starts the thread; `None` if there is none to be had.
    fn start() -> Option<Self> {
        let queue = Arc::new(Queue::default());
        let own = Arc::clone(&queue);
        let thread = thread::Builder::new().name("lotka-step".to_owned()).spawn(move || own.work()).ok()?;
        Some(Self { queue, thread: Some(thread) })
    }

    fn post(&self, place: &Arc<Place>) {
        lock(&self.queue.posted).places.push_back(Arc::clone(place));
        self.queue.is_waiting.store(true, Ordering::Release);
        self.queue.changed.notify_one();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        lock(&self.queue.posted).ends = true;
        self.queue.is_waiting.store(true, Ordering::Release);
        self.queue.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic in a step has been reported by the step.
            let _ = thread.join();
        }
    }
}

impl Queue {
    fn work(&self) {
        while let Some(place) = self.next() {
            let mut task = lock(&place.task);
            task.perform();
            place.is_done.store(true, Ordering::Release);
            drop(task);
            place.done.notify_one();
        }
    }

    /// Waits for what comes next: checks a while, then sleeps. `None` is the end.
    fn next(&self) -> Option<Arc<Place>> {
        spin_until(&self.is_waiting);
        let mut posted = lock(&self.posted);
        loop {
            if let Some(place) = posted.places.pop_front() {
                self.is_waiting.store(!posted.places.is_empty() || posted.ends, Ordering::Relaxed);
                return Some(place);
            }
            if posted.ends {
                return None;
            }
            posted = self.changed.wait(posted).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn spin_until(flag: &AtomicBool) {
    for _ in 0..SPINS {
        if flag.load(Ordering::Acquire) {
            return;
        }
        hint::spin_loop();
    }
}

/// Where an instance and its steps are handed over.
struct Place {
    task: Mutex<Task>,
    is_done: AtomicBool,
    done: Condvar,
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Place").field("is_done", &self.is_done).finish_non_exhaustive()
    }
}

struct Task {
    instance: Box<dyn Instance>,
    /// What the thread is to do.
    work: Work,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
    /// What came of it; a panic is passed on to the thread of the run.
    result: Option<thread::Result<CallResult<StepOutcome>>>,
}

enum Work {
    /// A step from `t` by `h` \[s\].
    Step { t: f64, h: f64, commit: bool },
    /// The thread that will step binds the variables, because it records its calls apart.
    Bind { inputs: Vec<RealRef>, outputs: Vec<RealRef> },
}

impl Task {
    fn perform(&mut self) {
        let Self { instance, work, inputs, outputs, .. } = self;
        let result = panic::catch_unwind(AssertUnwindSafe(|| match work {
            Work::Step { t, h, commit } => instance.step(inputs, *t, *h, *commit, outputs),
            Work::Bind { inputs, outputs } => instance.bind(inputs, outputs).map(|()| StepOutcome::Complete),
        }));
        self.result = Some(result);
    }
}

/// An instance that steps on a worker.
struct Threaded {
    name: String,
    capabilities: Capabilities,
    place: Arc<Place>,
    worker: Arc<Worker>,
}

impl Threaded {
    /// `bound` are the variables that are bound.
    fn new(instance: Box<dyn Instance>, worker: Arc<Worker>, (inputs, outputs): (Vec<RealRef>, Vec<RealRef>)) -> Self {
        let (name, capabilities) = (instance.name().to_owned(), *instance.capabilities());
        let task = Task { instance, work: Work::Bind { inputs, outputs }, inputs: Vec::new(), outputs: Vec::new(), result: None };
        let place = Place { task: Mutex::new(task), is_done: AtomicBool::new(false), done: Condvar::new() };
        let threaded = Self { name, capabilities, place: Arc::new(place), worker };
        threaded.worker.post(&threaded.place);
        threaded
    }

    /// Calls the instance on this thread; its worker has nothing to do with it meanwhile.
    fn call<T>(&mut self, call: impl FnOnce(&mut dyn Instance) -> T) -> T {
        call(&mut *self.idle().instance)
    }

    /// The instance when its worker is done with it.
    fn idle(&self) -> MutexGuard<'_, Task> {
        spin_until(&self.place.is_done);
        let mut task = lock(&self.place.task);
        while !self.place.is_done.load(Ordering::Acquire) {
            task = self.place.done.wait(task).unwrap_or_else(PoisonError::into_inner);
        }
        task
    }

    /// Has the worker do something.
    fn post(&mut self, fill: impl FnOnce(&mut Task)) {
        let mut task = self.idle();
        fill(&mut task);
        task.result = None;
        self.place.is_done.store(false, Ordering::Relaxed);
        drop(task);
        self.worker.post(&self.place);
    }

    /// Takes the result of what the worker did.
    fn result(&self, mut task: MutexGuard<'_, Task>) -> CallResult<StepOutcome> {
        let result = task.result.take();
        drop(task);
        match result {
            Some(Ok(result)) => result,
            Some(Err(panic)) => panic::resume_unwind(panic),
            None => Err(self.nothing_begun()),
        }
    }

    #[cold]
    fn nothing_begun(&self) -> Box<CallError> {
        let cause = Cause::BadArgument("no step has begun".to_owned());
        let (function, log) = (FunctionName::new("", "step"), Vec::new());
        Box::new(CallError { instance: self.name.clone(), function, variables: Vec::new(), time: None, cause, log })
    }
}

impl StepBeside for Threaded {
    fn begin_step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &[f64]) -> CallResult<()> {
        self.post(|task| {
            task.work = Work::Step { t, h, commit };
            task.inputs.clear();
            task.inputs.extend_from_slice(inputs);
            task.outputs.clear();
            task.outputs.extend_from_slice(outputs);
        });
        Ok(())
    }

    fn finish_step(&mut self, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        let task = self.idle();
        if outputs.len() == task.outputs.len() {
            outputs.copy_from_slice(&task.outputs);
        }
        self.result(task)
    }
}

impl Instance for Threaded {
    fn name(&self) -> &str {
        &self.name
    }

    fn phase(&self) -> Phase {
        self.idle().instance.phase()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.post(|task| task.work = Work::Bind { inputs: inputs.to_vec(), outputs: outputs.to_vec() });
        self.result(self.idle()).map(drop)
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.begin_step(inputs, t, h, commit, outputs)?;
        self.finish_step(outputs)
    }

    fn beside(&mut self) -> Option<&mut dyn StepBeside> {
        Some(self)
    }

    fn free(self: Box<Self>) -> CallResult<()> {
        drop(self.idle());
        let mut place = self.place;
        loop {
            match Arc::try_unwrap(place) {
                Ok(place) => return place.task.into_inner().unwrap_or_else(PoisonError::into_inner).instance.free(),
                // The worker is about to let go of it.
                Err(shared) => place = shared,
            }
            thread::yield_now();
        }
    }

    forward!(call);
}

/// A model whose instances may step on workers.
#[derive(Debug)]
pub(crate) struct Candidates {
    inner: Arc<dyn InstanceFactory>,
    workers: Arc<Workers>,
}

impl Candidates {
    /// The same model, with workers for its instances.
    pub(crate) fn wrap(inner: Arc<dyn InstanceFactory>, workers: &Arc<Workers>) -> Arc<dyn InstanceFactory> {
        Arc::new(Self { inner, workers: Arc::clone(workers) })
    }
}

impl InstanceFactory for Candidates {
    fn file(&self) -> Option<&Path> {
        self.inner.file()
    }

    fn description(&self) -> &ModelDescription {
        self.inner.description()
    }

    fn origin(&self) -> &Path {
        self.inner.origin()
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    fn warnings(&self) -> Vec<String> {
        self.inner.warnings()
    }

    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        let inner = Some(self.inner.instantiate(name, options)?);
        let (workers, bound) = (Arc::clone(&self.workers), (Vec::new(), Vec::new()));
        Ok(Box::new(Candidate { inner, workers, bound, steps: 0, time: Duration::ZERO }))
    }
}

/// An instance whose first steps are measured.
struct Candidate {
    /// `None` once it is replaced.
    inner: Option<Box<dyn Instance>>,
    workers: Arc<Workers>,
    bound: (Vec<RealRef>, Vec<RealRef>),
    steps: u32,
    time: Duration,
}

impl Candidate {
    fn inner(&self) -> &dyn Instance {
        self.inner.as_deref().expect("a replaced instance is not called")
    }

    fn call<T>(&mut self, call: impl FnOnce(&mut dyn Instance) -> T) -> T {
        call(self.inner.as_deref_mut().expect("a replaced instance is not called"))
    }
}

impl Instance for Candidate {
    fn name(&self) -> &str {
        self.inner().name()
    }

    fn phase(&self) -> Phase {
        self.inner().phase()
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner().capabilities()
    }

    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.bound = (inputs.to_vec(), outputs.to_vec());
        self.call(|inner| inner.bind(inputs, outputs))
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        let start = Instant::now();
        let result = self.call(|inner| inner.step(inputs, t, h, commit, outputs));
        self.time += start.elapsed();
        self.steps += 1;
        result
    }

    fn replacement(&mut self) -> Option<Box<dyn Instance>> {
        let inner = self.inner.take()?;
        let step = self.time / self.steps.max(1);
        let worker = if step >= SHORTEST { self.workers.assign(step) } else { None };
        Some(match worker {
            Some(worker) => Box::new(Threaded::new(inner, worker, mem::take(&mut self.bound))),
            None => inner,
        })
    }

    fn free(mut self: Box<Self>) -> CallResult<()> {
        self.inner.take().map_or(Ok(()), Instance::free)
    }

    forward!(call);
}

#[cfg(test)]
mod tests;
