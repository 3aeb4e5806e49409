//! The declaration of a model, with its description for one version of FMI.

use fmi2::description::Problem;
use fmu_sdk::Model;

use crate::FmiVersion;

/// A model as declared by its author.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// The model description, which determines the version of FMI.
    pub description: PackedDescription,
    /// Errors in the declaration. With any of them, no importer can instantiate the model.
    pub problems: Vec<fmu_sdk::Error>,
}

/// The model description of an FMU, of one version of FMI.
#[derive(Debug, Clone, PartialEq)]
pub enum PackedDescription {
    /// Of FMI 2.0.
    Fmi2(fmi2::ModelDescription),
    /// Of FMI 3.0.
    Fmi3(fmi3::ModelDescription),
}

impl Declared {
    /// Returns the declaration of a model written with the kit, for an FMU of this version.
    #[must_use]
    pub fn of<M: Model>(version: FmiVersion) -> Self {
        match version {
            FmiVersion::Fmi2 => {
                Self { description: PackedDescription::Fmi2(fmu_sdk::description::<M>()), problems: fmu_sdk::problems::<M>() }
            }
            FmiVersion::Fmi3 => Self {
                description: PackedDescription::Fmi3(fmu_sdk::fmi3::description::<M>()),
                problems: fmu_sdk::fmi3::problems::<M>(),
            },
        }
    }
}

impl From<fmi2::ModelDescription> for Declared {
    fn from(description: fmi2::ModelDescription) -> Self {
        Self { description: PackedDescription::Fmi2(description), problems: vec![] }
    }
}

impl From<fmi3::ModelDescription> for Declared {
    fn from(description: fmi3::ModelDescription) -> Self {
        Self { description: PackedDescription::Fmi3(description), problems: vec![] }
    }
}

impl PackedDescription {
    /// Returns the version of FMI.
    #[must_use]
    pub fn version(&self) -> FmiVersion {
        match self {
            Self::Fmi2(_) => FmiVersion::Fmi2,
            Self::Fmi3(_) => FmiVersion::Fmi3,
        }
    }

    /// Returns the name of the library; `None` without a co-simulation interface.
    #[must_use]
    pub fn model_identifier(&self) -> Option<&str> {
        match self {
            Self::Fmi2(description) => Some(&description.co_simulation.as_ref()?.interface.model_identifier),
            Self::Fmi3(description) => Some(&description.co_simulation.as_ref()?.interface.model_identifier),
        }
    }

    pub(crate) fn model_name(&self) -> &str {
        match self {
            Self::Fmi2(description) => &description.model_name,
            Self::Fmi3(description) => &description.model_name,
        }
    }

    pub(crate) fn to_xml(&self) -> String {
        match self {
            Self::Fmi2(description) => description.to_xml(),
            Self::Fmi3(description) => description.to_xml(),
        }
    }

    /// Returns the rules that the description breaks.
    pub(crate) fn check(&self) -> Vec<Problem> {
        match self {
            Self::Fmi2(description) => description.check(),
            Self::Fmi3(description) => description.check(),
        }
    }
}
