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
    BooleanRef, CallResult, Capabilities, Experiment, Instance, InstanceFactory, InstantiateOptions, InstantiationError,
    IntegerRef, ModelDescription, Phase, RealRef, Slot, StepOutcome, StringRef,
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

/// Forwards calls to the wrapped instance, timed.
macro_rules! timed {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $name(&mut self, $($argument: $type),*) -> $result {
            self.time(|inner| inner.$name($($argument),*))
        }
    )*};
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

    timed! {
        fn set_debug_logging(on: bool, categories: &[&str]) -> CallResult<()>;
        fn setup_experiment(experiment: &Experiment) -> CallResult<()>;
        fn enter_initialization_mode() -> CallResult<()>;
        fn exit_initialization_mode() -> CallResult<()>;
        fn terminate() -> CallResult<()>;
        fn reset() -> CallResult<()>;
        fn get_real(references: &[RealRef], values: &mut [f64]) -> CallResult<()>;
        fn get_integer(references: &[IntegerRef], values: &mut [i32]) -> CallResult<()>;
        fn get_boolean(references: &[BooleanRef], values: &mut [bool]) -> CallResult<()>;
        fn get_string(references: &[StringRef], values: &mut [String]) -> CallResult<()>;
        fn set_real(references: &[RealRef], values: &[f64]) -> CallResult<()>;
        fn set_integer(references: &[IntegerRef], values: &[i32]) -> CallResult<()>;
        fn set_boolean(references: &[BooleanRef], values: &[bool]) -> CallResult<()>;
        fn set_string(references: &[StringRef], values: &[&str]) -> CallResult<()>;
        fn set_input_derivatives(references: &[RealRef], orders: &[i32], values: &[f64]) -> CallResult<()>;
        fn get_output_derivatives(references: &[RealRef], orders: &[i32], values: &mut [f64]) -> CallResult<()>;
        fn directional_derivative(unknowns: &[RealRef], knowns: &[RealRef], seed: &[f64], result: &mut [f64]) -> CallResult<()>;
        fn bind(inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()>;
        fn step(inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome>;
        fn do_step(t: f64, h: f64, commit: bool) -> CallResult<StepOutcome>;
        fn new_slot() -> CallResult<Slot>;
        fn save(slot: Slot) -> CallResult<()>;
        fn restore(slot: Slot) -> CallResult<()>;
        fn free_slot(slot: Slot) -> CallResult<()>;
        fn serialize(slot: Slot) -> CallResult<Vec<u8>>;
        fn deserialize(slot: Slot, bytes: &[u8]) -> CallResult<()>;
    }
}
