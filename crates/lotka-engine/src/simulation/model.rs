//! The model of an instance: whatever makes instances, or a source.

use std::{path::Path, sync::Arc};

use lotka_instance::{Capabilities, Instance, InstanceFactory, InstantiateOptions, InstantiationError, ModelDescription};

use crate::source::{SourceInstance, SourceModel};

/// A model of which the runs of a simulation make instances. Clones share what is loaded.
#[derive(Debug, Clone)]
pub enum Model {
    /// An FMU, or anything else that makes instances.
    Factory(Arc<dyn InstanceFactory>),
    /// A source: steps do not call its instances.
    Source(Arc<SourceModel>),
}

impl Model {
    /// Where it comes from.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Factory(factory) => factory.path(),
            Self::Source(source) => &source.path,
        }
    }

    /// What is known of it before it runs.
    #[must_use]
    pub fn description(&self) -> &ModelDescription {
        match self {
            Self::Factory(factory) => factory.description(),
            Self::Source(source) => &source.description,
        }
    }

    /// What its instances can do.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        match self {
            Self::Factory(factory) => factory.capabilities(),
            Self::Source(source) => &source.description.capabilities,
        }
    }

    /// What is odd about it.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        match self {
            Self::Factory(factory) => factory.warnings(),
            Self::Source(_) => Vec::new(),
        }
    }

    /// Makes an instance.
    pub(crate) fn instantiate(
        &self,
        name: &str,
        options: &InstantiateOptions,
    ) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        match self {
            Self::Factory(factory) => factory.instantiate(name, options),
            Self::Source(source) => Ok(Box::new(SourceInstance::new(name, source.clone()))),
        }
    }

    /// The source, if it is one.
    #[must_use]
    pub fn source(&self) -> Option<&Arc<SourceModel>> {
        match self {
            Self::Source(source) => Some(source),
            Self::Factory(_) => None,
        }
    }
}
