//! A `.fmu` file, checked completely before a single byte of it is written.
//!
//! [`entries`] reads and checks the central directory, [`Package`] reads and writes harmless entries, and
//! [`folder`] is their destination and its removal.

mod entries;
mod folder;
mod names;
mod package;
mod removal;
mod repeated;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lotka_instance::ModelDescription;

use crate::footprint::Footprint;
use crate::loading::platform;
use crate::{Description, Error, OpenOptions, Warning};
pub(crate) use entries::{Entry, survey};
pub use folder::{Folder, remove_folders_of};
pub use package::Package;
pub use removal::TemporaryFolder;

/// Name of the model description in an archive.
pub(crate) const DESCRIPTION: &str = "modelDescription.xml";

/// A `.fmu` file that was found harmless and whose model description was read. It is not yet unpacked.
pub struct Archive {
    package: Package,
    description: Description,
    interface: OnceLock<ModelDescription>,
    warnings: Vec<Warning>,
}

impl Archive {
    /// Opens a `.fmu` file, checks all its entries and reads the model description.
    ///
    /// # Errors
    /// The file cannot be read, is not a zip archive, contains an entry that is refused (see [`crate::ArchiveProblem`]), or
    /// its model description is unusable for co-simulation.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Self, Error> {
        let mut package = Package::open(path, &options.limits)?;
        let Some(xml) = package.read(DESCRIPTION, options.limits.description_size)? else {
            let found_at = package.names().find(|name| name.ends_with("/modelDescription.xml")).map(str::to_owned);
            return Err(Error::NoModelDescription { path: path.to_owned(), found_at });
        };
        let (description, broken) = Description::read(&xml, options.strictness)
            .map_err(|problems| Error::Description { path: path.to_owned(), problems })?;
        let mut warnings = std::mem::take(&mut package.warnings);
        warnings.extend(broken.into_iter().map(Warning::Description));
        Ok(Self { package, description, interface: OnceLock::new(), warnings })
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.package.path()
    }

    /// Returns the model description.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Returns the properties of the model that all versions of FMI share.
    #[must_use]
    pub fn interface(&self) -> &ModelDescription {
        self.interface.get_or_init(|| self.description.interface())
    }

    /// Returns warnings about the archive and the description that do not affect a run.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the platforms for which the archive has libraries, by the names of the folders below `binaries`.
    #[must_use]
    pub fn platforms(&self) -> Vec<String> {
        let folders = self.package.names().filter_map(|name| {
            let mut parts = name.split('/');
            let platform = (parts.next() == Some("binaries")).then(|| parts.next()).flatten()?;
            parts.next().map(|_| platform.to_owned())
        });
        folders.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Writes all entries into an existing folder, like [`Package::unpack`]. A `resources` folder is created in any case.
    ///
    /// # Errors
    /// As for [`Package::unpack`].
    pub fn unpack(&mut self, folder: &Path) -> Result<(), Error> {
        self.unpack_by(folder, None)
    }

    /// Does the same with a cache, as for [`OpenOptions::cache`].
    pub(crate) fn unpack_by(&mut self, folder: &Path, cache: Option<&Path>) -> Result<(), Error> {
        self.package.unpack_by(folder, cache)?;
        package::make_folder(self.package.path(), &folder.join("resources"))
    }

    /// Reads what the FMU, once it is unpacked in `folder`, shares with others in one process.
    pub(crate) fn footprint(&self, model_identifier: &str, folder: &Path) -> Footprint {
        Footprint::read(self.path(), model_identifier, platform(&self.description), &self.package.entries, folder)
    }

    pub(crate) fn into_parts(self) -> (PathBuf, Description, Vec<Warning>) {
        (self.package.path().to_owned(), self.description, self.warnings)
    }
}
