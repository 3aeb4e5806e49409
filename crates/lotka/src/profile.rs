//! Time spent in an instance: a wrapper that reads the clock around steps, saves and restores.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use lotka_instance::{
    BinaryRef, BooleanRef, CallResult, Capabilities, DiscreteUpdate, Experiment, Instance, InstanceFactory, InstantiateOptions,
    InstantiationError, IntegerRef, ModelDescription, Phase, RealRef, Slot, StepOutcome, StringRef, Structure, StructureError,
    forward,
};

/// Nanoseconds spent in one instance.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stopwatch(Arc<AtomicU64>);

impl Stopwatch {
    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

/// A model whose instances are timed.
#[derive(Debug)]
pub(crate) struct Profiled {
    inner: Arc<dyn InstanceFactory>,
    stopwatch: Stopwatch,
}

impl Profiled {
    /// The same model, timed if there is a stopwatch.
    pub(crate) fn wrap(inner: Arc<dyn InstanceFactory>, stopwatch: Option<&Stopwatch>) -> Arc<dyn InstanceFactory> {
        match stopwatch {
            Some(stopwatch) => Arc::new(Self { inner, stopwatch: stopwatch.clone() }),
            None => inner,
        }
    }
}

impl InstanceFactory for Profiled {
    fn file(&self) -> Option<&Path> {
        self.inner.file()
    }

    fn description(&self) -> &ModelDescription {
        self.inner.description()
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    fn warnings(&self) -> Vec<String> {
        self.inner.warnings()
    }

    fn with_structure(&self, structure: &Structure) -> Result<Arc<dyn InstanceFactory>, StructureError> {
        Ok(Self::wrap(self.inner.with_structure(structure)?, Some(&self.stopwatch)))
    }

    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        Ok(Box::new(Timed { inner: self.inner.instantiate(name, options)?, stopwatch: self.stopwatch.clone() }))
    }
}

struct Timed {
    inner: Box<dyn Instance>,
    stopwatch: Stopwatch,
}

impl Timed {
    fn time<T>(&mut self, call: impl FnOnce(&mut dyn Instance) -> T) -> T {
        let start = Instant::now();
        let result = call(&mut *self.inner);
        self.stopwatch.0.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }
}

impl Instance for Timed {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn phase(&self) -> Phase {
        self.inner.phase()
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    fn free(self: Box<Self>) -> CallResult<()> {
        self.inner.free()
    }

    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.inner.bind(inputs, outputs)
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.time(|inner| inner.step(inputs, t, h, commit, outputs))
    }

    forward!(time);
}
