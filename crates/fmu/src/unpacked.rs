//! An FMU after unpacking and before loading.

use std::path::{Path, PathBuf};

use fmi2::ModelDescription;

use crate::archive::Folder;
use crate::{Archive, Error, OpenOptions, Warning, loading};

/// An FMU that is unpacked and ready to be loaded, here or in another process ([`crate::Fmu::from_folder`]); none of its code has run. The files
/// are removed when this is dropped.
pub struct Unpacked {
    pub(crate) path: PathBuf,
    pub(crate) description: ModelDescription,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) identifier: String,
    pub(crate) folder: Folder,
}

impl Unpacked {
    /// Opens a `.fmu` file: checks the archive, reads the description, unpacks.
    ///
    /// # Errors
    /// The archive is refused or damaged, or the description is unusable for co-simulation.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Self, Error> {
        let mut archive = Archive::open(path, options)?;
        let identifier = model_identifier(archive.path(), archive.description())?.to_owned();
        let folder = Folder::new()?;
        archive.unpack_by(folder.path(), options.cache.as_deref())?;
        let (path, description, warnings) = archive.into_parts();
        Ok(Self { path, description, warnings, identifier, folder })
    }

    /// Returns the path of the `.fmu` file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the model description.
    #[must_use]
    pub fn description(&self) -> &ModelDescription {
        &self.description
    }

    /// Returns warnings about archive and description that do not affect a run.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the absolute path of the folder with the files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Returns the name of the library, if it is valid.
pub(crate) fn model_identifier<'a>(path: &Path, description: &'a ModelDescription) -> Result<&'a str, Error> {
    let co_simulation = description.co_simulation.as_ref().ok_or_else(|| Error::NoCoSimulation { path: path.to_owned() })?;
    let identifier = co_simulation.interface.model_identifier.as_str();
    if loading::is_file_name(identifier) {
        Ok(identifier)
    } else {
        Err(Error::BadModelIdentifier { path: path.to_owned(), identifier: identifier.to_owned() })
    }
}
