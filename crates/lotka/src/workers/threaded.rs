//! An instance that steps on a worker.

use std::{
    fmt,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use lotka_instance::{
    BinaryRef, BooleanRef, CallError, CallResult, Capabilities, Cause, DiscreteUpdate, Experiment, FunctionName, Instance,
    IntegerRef, Phase, RealRef, Slot, SplitStep, StepOutcome, StringRef, forward,
};

use super::{Worker, lock, spin_until};

/// Where an instance and its steps are handed over.
pub(super) struct Handover {
    task: Mutex<Task>,
    is_done: AtomicBool,
    done: Condvar,
}

impl fmt::Debug for Handover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handover").field("is_done", &self.is_done).finish_non_exhaustive()
    }
}

impl Handover {
    /// Performs the task, on the thread of the worker.
    pub(super) fn perform(&self) {
        let mut task = lock(&self.task);
        task.perform();
        self.is_done.store(true, Ordering::Release);
        drop(task);
        self.done.notify_one();
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
pub(super) struct Threaded {
    name: String,
    capabilities: Capabilities,
    place: Arc<Handover>,
    worker: Arc<Worker>,
}

impl Threaded {
    /// `bound` are the variables that are bound.
    pub(super) fn new(instance: Box<dyn Instance>, worker: Arc<Worker>, (inputs, outputs): (Vec<RealRef>, Vec<RealRef>)) -> Self {
        let (name, capabilities) = (instance.name().to_owned(), *instance.capabilities());
        let task = Task { instance, work: Work::Bind { inputs, outputs }, inputs: Vec::new(), outputs: Vec::new(), result: None };
        let place = Handover { task: Mutex::new(task), is_done: AtomicBool::new(false), done: Condvar::new() };
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

    /// Has the worker do something. What it did before must have succeeded: nobody has asked for the result of the bind that a
    /// new instance begins with.
    fn post(&mut self, fill: impl FnOnce(&mut Task)) -> CallResult<()> {
        let mut task = self.idle();
        match task.result.take() {
            Some(Err(panic)) => {
                drop(task);
                panic::resume_unwind(panic)
            }
            Some(Ok(result)) => drop(result?),
            None => {}
        }
        fill(&mut task);
        self.place.is_done.store(false, Ordering::Relaxed);
        drop(task);
        self.worker.post(&self.place);
        Ok(())
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

impl SplitStep for Threaded {
    fn begin_step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &[f64]) -> CallResult<()> {
        self.post(|task| {
            task.work = Work::Step { t, h, commit };
            task.inputs.clear();
            task.inputs.extend_from_slice(inputs);
            task.outputs.clear();
            task.outputs.extend_from_slice(outputs);
        })
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
        self.post(|task| task.work = Work::Bind { inputs: inputs.to_vec(), outputs: outputs.to_vec() })?;
        self.result(self.idle()).map(drop)
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.begin_step(inputs, t, h, commit, outputs)?;
        self.finish_step(outputs)
    }

    fn split_step(&mut self) -> Option<&mut dyn SplitStep> {
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
