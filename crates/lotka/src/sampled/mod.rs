//! Instances that are sampled and held: they make steps of their own size, whatever the communication steps.
//!
//! A wrapper of a model: its instances accept any communication step, and do nothing in it. At the times `start + n T` they are
//! in event mode; there the wrapped instance makes its step from the time before, its outputs jump, and it gets the inputs of its
//! next step. Start reading at [`instance`].

mod instance;
mod state;
#[cfg(test)]
mod tests;

use std::{path::Path, sync::Arc};

use instance::SampledInstance;
use lotka_instance::{
    Capabilities, Instance, InstanceFactory, InstantiateOptions, InstantiationError, ModelDescription, Structure, StructureError,
};
use lotka_plan::time::Resolution;
use lotka_system::{held, held_capabilities};

use crate::System;

/// When an instance is sampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SampleTimes {
    /// The distance of the times, the first of which is the start \[s\].
    pub(crate) every: f64,
    /// A time that differs by no more than this is one of them \[s\].
    pub(crate) slack: f64,
}

impl System {
    /// When an instance is sampled, if it is.
    pub(crate) fn sample_times(&self, index: usize) -> Option<SampleTimes> {
        let every = self.description().instances[index].sample_time.as_ref()?.value;
        let experiment = &self.description().experiment;
        let start = experiment.start.as_ref().map_or(0.0, |start| start.value);
        let stop = experiment.stop.as_ref().map_or(start, |stop| stop.value);
        Some(SampleTimes { every, slack: Resolution::of((start, stop)).slack() })
    }
}

/// A model whose instances are sampled and held.
#[derive(Debug)]
pub(crate) struct Sampled {
    inner: Arc<dyn InstanceFactory>,
    times: SampleTimes,
    description: ModelDescription,
    capabilities: Capabilities,
}

impl Sampled {
    /// The same model, sampled if there are times for it.
    pub(crate) fn wrap(inner: Arc<dyn InstanceFactory>, times: Option<SampleTimes>) -> Arc<dyn InstanceFactory> {
        let Some(times) = times else { return inner };
        let (description, capabilities) = (held(inner.description()), held_capabilities(*inner.capabilities()));
        Arc::new(Self { inner, times, description, capabilities })
    }
}

impl InstanceFactory for Sampled {
    fn file(&self) -> Option<&Path> {
        self.inner.file()
    }

    fn description(&self) -> &ModelDescription {
        &self.description
    }

    fn origin(&self) -> &Path {
        self.inner.origin()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn warnings(&self) -> Vec<String> {
        self.inner.warnings()
    }

    fn with_structure(&self, structure: &Structure) -> Result<Arc<dyn InstanceFactory>, StructureError> {
        Ok(Self::wrap(self.inner.with_structure(structure)?, Some(self.times)))
    }

    fn prepare(&self) {
        self.inner.prepare();
    }

    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        // The wrapped instance handles events of its own inside its steps.
        let options = InstantiateOptions { event_mode: false, input_polynomials: false, ..options.clone() };
        let capabilities = |inner: &dyn Instance| held_capabilities(*inner.capabilities());
        let inner = self.inner.instantiate(name, &options)?;
        Ok(Box::new(SampledInstance::new(capabilities(&*inner), inner, self.times)))
    }
}
