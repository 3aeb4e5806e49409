//! An FMU that is ready to be instantiated, wherever its instances live.

use std::{path::Path, sync::Arc};

use fmi2::{Capabilities, Instance, ModelDescription};
use fmu::{Fmu, InstantiateOptions};
use lotka_host::HostedFmu;

use crate::{
    HostError,
    source::{SourceInstance, SourceModel},
};

/// An FMU that is ready to be instantiated. Clones share what is loaded.
#[derive(Debug, Clone)]
pub(crate) enum Loaded {
    /// In this process.
    Here(Fmu),
    /// Each instance in a process of its own.
    Hosted(HostedFmu),
    /// No FMU, but a source.
    Source(Arc<SourceModel>),
}

impl Loaded {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Here(fmu) => fmu.path(),
            Self::Hosted(fmu) => fmu.path(),
            Self::Source(source) => &source.path,
        }
    }

    pub(crate) fn description(&self) -> &ModelDescription {
        match self {
            Self::Here(fmu) => fmu.description(),
            Self::Hosted(fmu) => fmu.description(),
            Self::Source(source) => &source.description,
        }
    }

    pub(crate) fn capabilities(&self) -> &Capabilities {
        match self {
            Self::Here(fmu) => fmu.capabilities(),
            Self::Hosted(fmu) => fmu.capabilities(),
            Self::Source(source) => &source.capabilities,
        }
    }

    /// What is odd about the FMU.
    pub(crate) fn warnings(&self) -> Vec<String> {
        match self {
            Self::Here(fmu) => fmu.warnings().iter().map(ToString::to_string).collect(),
            Self::Hosted(fmu) => fmu.warnings().to_vec(),
            Self::Source(_) => Vec::new(),
        }
    }

    /// Makes an instance.
    pub(crate) fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, HostError> {
        Ok(match self {
            Self::Here(fmu) => Box::new(fmu.instantiate(name, options)?),
            Self::Hosted(fmu) => Box::new(fmu.instantiate(name, options)?),
            Self::Source(source) => Box::new(SourceInstance::new(name, source.clone())),
        })
    }

    /// The source, if it is one.
    pub(crate) fn source(&self) -> Option<&Arc<SourceModel>> {
        match self {
            Self::Source(source) => Some(source),
            Self::Here(_) | Self::Hosted(_) => None,
        }
    }
}
