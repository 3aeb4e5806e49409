//! An example, stored in a folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lotka::System;

use crate::{Error, Expected, Outcome, prose};

/// A folder with `system.toml` and variants of it, `README.md` and `expected.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Name of the folder.
    pub name: String,
    /// Title of its README.
    pub title: String,
    /// Short description: the first sentence of its README.
    pub sentence: String,
    /// Its system files, `system.toml` first.
    pub systems: Vec<String>,
    /// Expected numbers.
    pub expected: Expected,
    folder: PathBuf,
}

/// TOML files in the folder of an example that are not systems.
const NO_SYSTEMS: [&str; 2] = ["expected.toml", "Cargo.toml"];

impl Example {
    /// Returns the examples below a folder, sorted by name: all folders with a `system.toml`.
    ///
    /// # Errors
    /// A file of an example is missing or cannot be read.
    pub fn all(examples: &Path) -> Result<Vec<Self>, Error> {
        let folders = names(examples)?.into_iter().filter(|name| examples.join(name).join("system.toml").is_file());
        folders.map(|name| Self::read(examples, name)).collect()
    }

    fn read(examples: &Path, name: String) -> Result<Self, Error> {
        let folder = examples.join(&name);
        let is_system = |file: &String| file.ends_with(".toml") && !NO_SYSTEMS.contains(&file.as_str());
        let mut systems: Vec<_> = names(&folder)?.into_iter().filter(is_system).collect();
        systems.sort_by_key(|file| (file != "system.toml", file.clone()));
        let (title, paragraph) = prose::opening(&text(&folder.join("README.md"))?);
        let path = folder.join("expected.toml");
        let expected = Expected::read(&path)?;
        if let Some(system) = expected.systems().find(|system| !systems.iter().any(|known| known == system)) {
            return Err(Error::NoSystem { path, system: system.to_owned() });
        }
        Ok(Self { name, title, sentence: prose::first_sentence(&paragraph), systems, expected, folder })
    }

    /// Returns the path of a file of the example.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Reads one of its systems, with FMUs from a folder.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn system(&self, file: &str, fmus: &Path) -> Result<System, Error> {
        system_file(&self.path(file), fmus)
    }

    /// Returns what a system demonstrates: the first sentence of the comment at the start of its file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn shows(&self, file: &str) -> Result<String, Error> {
        Ok(prose::first_sentence(&prose::comment(&text(&self.path(file))?)))
    }

    /// Runs all its systems with FMUs from a folder. A failed run is an outcome, not an error.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn run(&self, fmus: &Path) -> Result<Vec<Outcome>, Error> {
        self.systems.iter().map(|file| Outcome::of(self, file, fmus)).collect()
    }
}

/// Reads a system file, and replaces its FMUs by those with the same names in a folder. FMUs of FMI 3.0 are in its folder `fmi3`.
///
/// # Errors
/// The file cannot be read, or a path in it has no file name.
pub fn system_file(file: &Path, fmus: &Path) -> Result<System, Error> {
    let mut system = System::from_file(file)?;
    for instance in &mut system.description_mut().instances {
        let path = &mut instance.fmu.value;
        let Some(name) = packed_name(path) else { return Err(Error::NoFmu { file: file.to_owned(), path: path.clone() }) };
        *path = fmus.join(name);
    }
    Ok(system)
}

/// Returns the path of an FMU in the folder of packed ones: its name, in the folder `fmi3` if it is there. `None` if the path has
/// no file name.
#[must_use]
pub fn packed_name(fmu: &Path) -> Option<PathBuf> {
    let name = fmu.file_name()?;
    let is_fmi3 = fmu.parent().is_some_and(|folder| folder.ends_with("fmi3"));
    Some(if is_fmi3 { Path::new("fmi3").join(name) } else { name.into() })
}

fn text(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|cause| Error::Read { path: path.to_owned(), cause })
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, Error> {
    let failed = |cause| Error::Read { path: folder.to_owned(), cause };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.extend(entry.map_err(failed)?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "helpers of tests")]
mod tests {
    use super::*;

    /// Creates a folder of examples with one example, `room`, that has these files, and a folder that is not an example.
    fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
        let examples = tempfile::TempDir::new().unwrap();
        for folder in ["room", "program"] {
            fs::create_dir(examples.path().join(folder)).unwrap();
        }
        fs::write(examples.path().join("program/Cargo.toml"), "").unwrap();
        for (name, text) in files {
            fs::write(examples.path().join("room").join(name), text).unwrap();
        }
        examples
    }

    const VALUE: &str =
        "[[value]]\nsystem = 'open.toml'\nvariable = 'a.x'\ntime = 1\nexpected = 1\ntolerance = 1\norigin = 'o'\n";
    const SYSTEM: &str = "# A room. Build it.\n[experiment]\nstop = 1\nstep = 1\n[instances]\na = '../../target/fmus/room.fmu'\n";

    #[test]
    fn an_example_is_what_its_folder_has() {
        let files =
            [("README.md", "# Room\n\nIt cools.\n"), ("expected.toml", VALUE), ("system.toml", SYSTEM), ("open.toml", SYSTEM)];
        let examples = written(&files);
        let all = Example::all(examples.path()).unwrap();
        let [example] = &all[..] else { panic!("{all:?}") };
        assert_eq!((example.title.as_str(), example.sentence.as_str()), ("Room", "It cools."));
        assert_eq!(example.systems, ["system.toml", "open.toml"]);
        assert_eq!(example.shows("open.toml").unwrap(), "A room.");
        let mut system = example.system("open.toml", Path::new("elsewhere")).unwrap();
        assert_eq!(system.description_mut().instances[0].fmu.value, Path::new("elsewhere/room.fmu"));
        let name = |path: &str| packed_name(Path::new(path));
        assert_eq!(name("../../target/fmus/fmi3/room.fmu"), Some("fmi3/room.fmu".into()));
        assert_eq!((name("room.fmu"), name("..")), (Some("room.fmu".into()), None));
    }

    #[test]
    fn what_is_missing_is_named() {
        let refused = |files: &[(&str, &str)]| Example::all(written(files).path()).unwrap_err().to_string();
        assert!(refused(&[("system.toml", SYSTEM)]).contains("README.md"));
        let readme = ("README.md", "# Room\n\nIt cools.\n");
        assert!(refused(&[("system.toml", SYSTEM), readme]).contains("expected.toml"));
        assert!(
            refused(&[("system.toml", SYSTEM), readme, ("expected.toml", VALUE)])
                .contains("there is no `open.toml` in this folder")
        );
    }

    #[test]
    fn paths_that_name_no_fmu_are_refused() {
        let examples = written(&[("system.toml", &SYSTEM.replace("../../target/fmus/room.fmu", ".."))]);
        let error = system_file(&examples.path().join("room/system.toml"), Path::new("elsewhere")).unwrap_err();
        assert!(error.to_string().contains("names no FMU"), "{error}");
    }
}
