//! An instance whose first steps show whether they are worth a thread.

use std::{
    mem,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use lotka_instance::{
    BinaryRef, BooleanRef, CallResult, Capabilities, DiscreteUpdate, Experiment, Instance, InstanceFactory, InstantiateOptions,
    InstantiationError, IntegerRef, ModelDescription, RealRef, Slot, StepOutcome, StringRef, Structure, StructureError, forward,
};

use super::{SHORTEST, Threaded, Workers};

/// Number of steps whose times are kept.
const MEASURED: usize = 15;

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

    fn with_structure(&self, structure: &Structure) -> Result<Arc<dyn InstanceFactory>, StructureError> {
        Ok(Self::wrap(self.inner.with_structure(structure)?, &self.workers))
    }

    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        let inner = Some(self.inner.instantiate(name, options)?);
        let (workers, bound) = (Arc::clone(&self.workers), (Vec::new(), Vec::new()));
        Ok(Box::new(Candidate { inner, workers, bound, n_steps: 0, times: [Duration::ZERO; MEASURED] }))
    }
}

/// An instance whose first steps are measured.
struct Candidate {
    /// `None` once it is replaced.
    inner: Option<Box<dyn Instance>>,
    workers: Arc<Workers>,
    bound: (Vec<RealRef>, Vec<RealRef>),
    n_steps: usize,
    /// How long its last steps took.
    times: [Duration; MEASURED],
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
    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.bound = (inputs.to_vec(), outputs.to_vec());
        self.call(|inner| inner.bind(inputs, outputs))
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        let start = Instant::now();
        let result = self.call(|inner| inner.step(inputs, t, h, commit, outputs));
        self.times[self.n_steps % MEASURED] = start.elapsed();
        self.n_steps += 1;
        result
    }

    fn replacement(&mut self) -> Option<Box<dyn Instance>> {
        let inner = self.inner.take()?;
        let times = &mut self.times[..self.n_steps.min(MEASURED)];
        // The median: other programs may interrupt some of the steps.
        let middle = times.len() / 2;
        let step = if times.is_empty() { Duration::ZERO } else { *times.select_nth_unstable(middle).1 };
        let worker = if step >= SHORTEST { self.workers.assign(inner.name(), step) } else { None };
        Some(match worker {
            Some(worker) => Box::new(Threaded::new(inner, worker, mem::take(&mut self.bound))),
            None => inner,
        })
    }

    fn free(mut self: Box<Self>) -> CallResult<()> {
        self.inner.take().map_or(Ok(()), Instance::free)
    }

    forward!(call, inner);
}
