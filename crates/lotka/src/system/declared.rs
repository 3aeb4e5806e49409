//! What is known about an FMU without loading its library.

use std::{path::PathBuf, rc::Rc, sync::Arc};

use fmu::Archive;
use lotka_instance::{InstanceFactory, ModelDescription, Structure, StructureError};
use lotka_message::Findings;
use lotka_step::resolved::Interface;
use lotka_system::{InstanceSettings, check_own_grid, held};

/// The model description of an FMU, without loading its library.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) path: PathBuf,
    pub(super) description: ModelDescription,
    made_from: MadeFrom,
}

/// What makes the description again, with other values of structural parameters.
#[derive(Debug, Clone)]
enum MadeFrom {
    Factory(Arc<dyn InstanceFactory>),
    /// A file; `None` if the model has no structural parameters.
    File(Option<Arc<fmu::Description>>),
}

impl Declared {
    pub(super) fn of(archive: Archive) -> Self {
        let description = archive.description().interface();
        let has_structure = description.variables.iter().any(|variable| variable.is_structural);
        let made_from = MadeFrom::File(has_structure.then(|| Arc::new(archive.description().clone())));
        Self { path: archive.path().to_owned(), description, made_from }
    }

    pub(super) fn by(factory: Arc<dyn InstanceFactory>) -> Self {
        let description = ModelDescription { capabilities: *factory.capabilities(), ..factory.description().clone() };
        Self { path: factory.origin().to_owned(), description, made_from: MadeFrom::Factory(factory) }
    }

    /// Whether its model has a file.
    #[cfg(feature = "analysis")]
    pub(super) fn has_file(&self) -> bool {
        match &self.made_from {
            MadeFrom::Factory(factory) => factory.file().is_some(),
            MadeFrom::File(_) => true,
        }
    }

    /// The same with these values of structural parameters, which instances may share.
    pub(super) fn shared_with(this: &Rc<Self>, structure: &Structure) -> Result<Rc<Self>, StructureError> {
        this.with_structure(structure).map(Rc::new)
    }

    fn with_structure(&self, structure: &Structure) -> Result<Self, StructureError> {
        match &self.made_from {
            MadeFrom::Factory(factory) => Ok(Self::by(factory.with_structure(structure)?)),
            MadeFrom::File(None) => Err(StructureError::Unsupported),
            MadeFrom::File(Some(description)) => {
                let (path, made_from) = (self.path.clone(), self.made_from.clone());
                Ok(Self { path, description: description.interface_with(structure)?, made_from })
            }
        }
    }

    /// The same as an instance with these settings uses it.
    pub(super) fn used(self: &Rc<Self>, settings: &InstanceSettings, findings: &mut Findings) -> Rc<Self> {
        check_own_grid(settings, &self.description, findings);
        if settings.sample_time.is_none() {
            return self.clone();
        }
        let (path, description, made_from) = (self.path.clone(), held(&self.description), self.made_from.clone());
        Rc::new(Self { path, description, made_from })
    }

    pub(super) fn interface(&self) -> Interface<'_> {
        let capabilities = self.description.capabilities;
        Interface { path: &self.path, description: &self.description, capabilities, source: None }
    }
}
