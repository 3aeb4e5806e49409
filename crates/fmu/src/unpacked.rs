//! An FMU after unpacking and before loading.

use std::path::{Path, PathBuf};

use crate::archive::Folder;
use crate::footprint::Footprint;
use crate::{Archive, Description, Error, OpenOptions, Warning};

/// An FMU that is unpacked and ready to be loaded, here or in another process ([`crate::Fmu::from_folder`]); none of its code has
/// run. The files are removed when this is dropped.
pub struct Unpacked {
    pub(crate) path: PathBuf,
    pub(crate) description: Description,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) folder: Folder,
    pub(crate) footprint: Footprint,
}

impl Unpacked {
    /// Opens a `.fmu` file: checks the archive, reads the description, unpacks.
    ///
    /// # Errors
    /// The archive is refused or damaged, or the description is unusable for co-simulation.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Self, Error> {
        let mut archive = Archive::open(path, options)?;
        let identifier = archive.description().check_use(archive.path())?.to_owned();
        let folder = Folder::new()?;
        archive.unpack_by(folder.path(), options.cache.as_deref())?;
        let footprint = archive.footprint(&identifier, folder.path());
        let (path, description, warnings) = archive.into_parts();
        Ok(Self { path, description, warnings, folder, footprint })
    }

    /// Returns the path of the `.fmu` file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the model description.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Returns warnings about archive and description that do not affect a run.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns what it shares with other FMUs in one process.
    #[must_use]
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Returns the absolute path of the folder with the files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}
