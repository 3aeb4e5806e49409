//! The files that a system is made from.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use super::System;
use lotka_system::SourceSignal;

impl System {
    /// Returns the files that a run of this system reads, each once: the system file and the files that it refers to, the FMUs,
    /// and the tables of sources. A package is one file.
    ///
    /// ```
    /// let system = lotka::System::new().instance("a", "x.fmu").instance("b", "x.fmu");
    /// assert_eq!(system.files(), [std::path::PathBuf::from("x.fmu")]);
    /// ```
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        // Files of a package have paths below it.
        let in_file = |path: &Path| path.ancestors().find(|path| path.is_file()).unwrap_or(path).to_owned();
        let main = self.description.file.iter().map(|file| &file.path);
        let system = main.chain(&self.description.beside).map(|path| in_file(path));
        let fmus = self.fmu_files().into_iter().map(|(_, file)| file);
        let is_unpacked = |path: &PathBuf| self.folders.iter().any(|folder| path.starts_with(folder.path()));
        let mut known = HashSet::new();
        let files = system.chain(fmus).chain(self.tables()).filter(|path| !is_unpacked(path));
        files.filter(|path| known.insert(path.clone())).collect()
    }

    /// Returns the name of every instance that has the FMU in a file, and this file, in the order of the instances.
    ///
    /// ```
    /// let system = lotka::System::new().instance("a", "x.fmu");
    /// assert_eq!(system.fmu_files(), [("a".to_owned(), std::path::PathBuf::from("x.fmu"))]);
    /// ```
    #[must_use]
    pub fn fmu_files(&self) -> Vec<(String, PathBuf)> {
        let with_file = self.description.instances.iter().filter(|instance| !self.fmus.contains_key(&instance.name.value));
        with_file.map(|instance| (instance.name.value.clone(), self.base.join(&instance.fmu.value))).collect()
    }

    /// The files of sources.
    pub(super) fn tables(&self) -> impl Iterator<Item = PathBuf> {
        self.description.sources.iter().filter_map(|source| match &source.signal {
            SourceSignal::Csv(csv) => Some(self.base.join(&csv.path.value)),
            _ => None,
        })
    }
}
