//! The model of an instance: an instance factory or a source.

use std::{path::Path, sync::Arc};

use lotka_instance::{Capabilities, Instance, InstanceFactory, InstantiateOptions, InstantiationError, ModelDescription};
use lotka_plan::source::{SourceInstance, SourceModel};

/// A model from which the runs of a simulation create instances. Clones share the loaded data.
#[derive(Debug, Clone)]
pub enum Model {
    /// An FMU, or any other instance factory.
    Factory(Arc<dyn InstanceFactory>),
    /// A source, whose instances are not called in steps.
    Source(Arc<SourceModel>),
}

impl Model {
    /// Its name in messages: the file, or the name of the model.
    #[must_use]
    pub fn origin(&self) -> &Path {
        match self {
            Self::Factory(factory) => factory.origin(),
            Self::Source(source) => &source.path,
        }
    }

    /// Whether a separate process can load it.
    #[must_use]
    pub fn has_file(&self) -> bool {
        matches!(self, Self::Factory(factory) if factory.file().is_some())
    }

    /// Its model description.
    #[must_use]
    pub fn description(&self) -> &ModelDescription {
        match self {
            Self::Factory(factory) => factory.description(),
            Self::Source(source) => &source.description,
        }
    }

    /// The capabilities of its instances.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        match self {
            Self::Factory(factory) => factory.capabilities(),
            Self::Source(source) => &source.description.capabilities,
        }
    }

    /// Warnings about it.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        match self {
            Self::Factory(factory) => factory.warnings(),
            Self::Source(_) => Vec::new(),
        }
    }

    /// Creates an instance.
    ///
    /// # Errors
    /// The instance cannot be created.
    pub fn instantiate(
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
