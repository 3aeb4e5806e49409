//! What a model shows of itself.

use std::path::Path;

use lotka_instance::{Capabilities, ModelDescription};
use lotka_plan::source::SourceModel;

use crate::model::Model;

/// The properties of an FMU that are known without running it.
#[derive(Debug, Clone, Copy)]
pub struct Interface<'a> {
    /// The path of its file.
    pub path: &'a Path,
    /// Its model description.
    pub description: &'a ModelDescription,
    /// The capabilities of its instances.
    pub capabilities: Capabilities,
    /// The source, if it is not an FMU.
    pub source: Option<&'a SourceModel>,
}

impl<'a> Interface<'a> {
    /// Returns the interface of a loaded FMU.
    #[must_use]
    pub fn of(fmu: &'a Model) -> Self {
        Self {
            path: fmu.origin(),
            description: fmu.description(),
            capabilities: *fmu.capabilities(),
            source: fmu.source().map(|source| &**source),
        }
    }
}
