//! What an FMU shares with other FMUs in one process, read from its files before any of its code runs.
//!
//! A process has one library of each name, one interpreter of each kind, and one of whatever an FMU names after its model
//! identifier. A second FMU with the same name silently gets what the first one brought. [`Footprint::clash`] says so before it
//! happens.

use std::{
    collections::BTreeMap,
    env::consts::DLL_EXTENSION,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    Clash,
    archive::Entry,
    interpreter::INTERPRETERS,
    loading::{Linkage, file_name, is_library_name},
};

/// Checksum and size \[byte\] of a file.
type Contents = (u32, u64);

/// The names that an FMU uses in its process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footprint {
    path: PathBuf,
    model_identifier: String,
    /// All files by name.
    files: BTreeMap<String, Contents>,
    /// The libraries that it brings, by the names under which the dynamic linker knows them.
    libraries: BTreeMap<String, Provided>,
    interpreters: Vec<&'static str>,
}

/// A library of an FMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Provided {
    contents: Contents,
    /// The library of the model itself, which is opened by its path, not by its name.
    is_model: bool,
}

impl Footprint {
    /// Reads the libraries of an FMU that is unpacked in `folder`; `platform` is the folder of those for this machine.
    pub(crate) fn read(path: &Path, model_identifier: &str, platform: &str, entries: &[Entry], folder: &Path) -> Self {
        let files = entries.iter().filter(|entry| !entry.is_folder);
        let files: BTreeMap<_, _> = files.map(|entry| (entry.path.clone(), (entry.checksum, entry.size))).collect();
        let mut footprint = Self {
            path: path.to_owned(),
            model_identifier: model_identifier.to_owned(),
            files: BTreeMap::new(),
            libraries: BTreeMap::new(),
            interpreters: Vec::new(),
        };
        let own = format!("binaries/{platform}/");
        let is_own = |name: &String| name.starts_with(&own);
        let is_alone = files.keys().filter(|name| is_own(name) && is_library_name(name)).count() == 1;
        for (name, contents) in &files {
            if is_library_name(name) && (is_own(name) || !name.starts_with("binaries/")) {
                footprint.add(&folder.join(name), *contents, is_own(name), is_alone);
            }
        }
        footprint.files = files;
        footprint
    }

    /// Adds a library. `is_own`: it is in the folder of the library of the model, in which the dynamic linker searches;
    /// `is_alone`: as the only one.
    fn add(&mut self, library: &Path, contents: Contents, is_own: bool, is_alone: bool) {
        let Ok(bytes) = fs::read(library) else { return };
        let Ok(linkage) = Linkage::read(&bytes) else { return };
        let name = file_name(library);
        let is_model = is_own && (is_alone || name == format!("{}.{DLL_EXTENSION}", self.model_identifier));
        let by_file = (is_own && !is_model).then_some(name);
        for name in linkage.soname.iter().cloned().chain(by_file) {
            self.libraries.insert(name, Provided { contents, is_model });
        }
        for interpreter in &INTERPRETERS {
            if interpreter.is_used_by(&linkage, &bytes) && !self.interpreters.contains(&interpreter.name) {
                self.interpreters.push(interpreter.name);
            }
        }
    }

    /// Returns the path of the `.fmu` file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns why these FMUs do not get along in one process, if there is a reason. Copies of one FMU always do.
    #[must_use]
    pub fn clash(&self, other: &Self) -> Option<Clash> {
        let same_model = || {
            (self.model_identifier == other.model_identifier && self.files != other.files)
                .then(|| Clash::ModelIdentifier(self.model_identifier.clone()))
        };
        self.clash_of_what_stays(other).or_else(same_model)
    }

    /// Like [`Footprint::clash`], for an FMU that this process has loaded before: only libraries and interpreters outlast it.
    fn clash_of_what_stays(&self, other: &Self) -> Option<Clash> {
        if self.files == other.files {
            return None;
        }
        let differs = |(name, one): &(&String, &Provided)| {
            other.libraries.get(*name).is_some_and(|other| one.contents != other.contents && !(one.is_model && other.is_model))
        };
        let library = self.libraries.iter().find(differs).map(|(name, _)| Clash::Library(name.clone()));
        let shared = || self.interpreters.iter().find(|name| other.interpreters.contains(name));
        library.or_else(|| shared().map(|name| Clash::Interpreter(name)))
    }

    /// Returns an FMU that this process has loaded, and with which this one does not get along. Libraries stay loaded, so that it
    /// may have been freed.
    #[must_use]
    pub fn clash_with_loaded(&self) -> Option<(PathBuf, Clash)> {
        loaded().iter().find_map(|other| Some((other.path.clone(), self.clash_of_what_stays(other)?)))
    }

    /// Notes that its libraries are loaded into this process.
    pub(crate) fn note_loaded(self) {
        let mut loaded = loaded();
        if !loaded.iter().any(|other| other.files == self.files) {
            loaded.push(self);
        }
    }
}

/// The FMUs whose libraries are in this process.
fn loaded() -> MutexGuard<'static, Vec<Footprint>> {
    static LOADED: Mutex<Vec<Footprint>> = Mutex::new(Vec::new());
    LOADED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(identifier: &str, libraries: &[(&str, u32, bool)], interpreters: &[&'static str], checksum: u32) -> Footprint {
        let provided =
            |&(name, checksum, is_model): &(&str, u32, bool)| (name.to_owned(), Provided { contents: (checksum, 1), is_model });
        Footprint {
            path: format!("{identifier}.fmu").into(),
            model_identifier: identifier.to_owned(),
            files: BTreeMap::from([("modelDescription.xml".to_owned(), (checksum, 1))]),
            libraries: libraries.iter().map(provided).collect(),
            interpreters: interpreters.to_vec(),
        }
    }

    #[test]
    fn names_with_different_contents_clash_and_copies_do_not() {
        let one = footprint("a", &[("libx.so", 1, false), ("fmu.so", 1, true)], &["Python"], 1);
        let clash = |other: Footprint| (one.clash(&other), other.clash(&one));
        let both = |clash: Clash| (Some(clash.clone()), Some(clash));
        assert_eq!(clash(one.clone()), (None, None));
        assert_eq!(clash(footprint("b", &[("libx.so", 2, false)], &[], 2)), both(Clash::Library("libx.so".into())));
        assert_eq!(clash(footprint("b", &[("libx.so", 2, true)], &[], 2)), both(Clash::Library("libx.so".into())));
        assert_eq!(clash(footprint("b", &[("libx.so", 1, false)], &["Java"], 2)), (None, None));
        assert_eq!(clash(footprint("b", &[("fmu.so", 2, true)], &[], 2)), (None, None), "both are opened by their paths");
        assert_eq!(clash(footprint("b", &[], &["Python"], 2)), both(Clash::Interpreter("Python")));
        assert_eq!(clash(footprint("a", &[], &[], 2)), both(Clash::ModelIdentifier("a".into())));
        assert_eq!(one.clash_of_what_stays(&footprint("a", &[], &[], 2)), None);
    }
}
