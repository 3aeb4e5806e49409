//! Writes systems to files, in the format that the extension determines.

use std::{
    collections::{HashMap, HashSet},
    fs, io,
    path::{Component, Path, PathBuf},
};

use super::System;
use crate::{Error, replace::replace_file};
use fmu::{Archive, OpenOptions};
use lotka_instance::description::Variable;
use lotka_message::Code;
use lotka_message::Warning;
use lotka_system::{SourceSignal, check_unique, to_toml};

/// The possible names of a file.
const ENDINGS: &str = if cfg!(feature = "ssp") {
    "its extension is not .toml, .ssd or .ssp"
} else {
    "its extension is not .toml; for .ssd and .ssp, build the program with the feature `ssp` of the crate lotka"
};

impl System {
    /// Writes the system to a file: `.toml`, a system structure description `.ssd`, or a package `.ssp` that contains the FMUs.
    /// Returns what other tools will not see of the system.
    ///
    /// A `.ssd` or `.ssp` has version 1.0; an annotation contains everything that SSP cannot express. FMUs that come from a
    /// package are written to a folder beside the file, with its name.
    ///
    /// # Errors
    /// As [`System::build`] where FMUs must be read (`.ssd`, `.ssp`); [`Error::System`] with all problems of the file that the
    /// system was read from; [`Error::Save`] if something cannot be written, or an instance has no file
    /// ([`System::instance_from`], [`Fmu::from_functions`](crate::Fmu::from_functions)).
    pub fn save(&self, path: impl AsRef<Path>) -> Result<Vec<Warning>, Error> {
        let path = path.as_ref();
        let cannot = |reason| Error::Save { path: path.to_owned(), reason };
        let mut names = self.description.instances.iter().map(|instance| &instance.name.value);
        if let Some(name) = names.find(|name| self.is_linked(name)) {
            let reason = format!("the model of instance `{name}` is part of this program; only models with a file can be saved");
            return Err(cannot(io::Error::new(io::ErrorKind::InvalidInput, reason)));
        }
        match path.extension().and_then(|extension| extension.to_str()).map(str::to_lowercase).as_deref() {
            Some("toml") => {
                let mut findings = self.findings.clone();
                check_unique(&self.description, &mut findings);
                let ((), mut warnings) = findings.finish((), self.description.file.as_ref()).map_err(Error::System)?;
                let mut moved = self.clone();
                warnings.extend(moved.drop_idle_values());
                moved.move_files(&self.beside(path).map_err(cannot)?);
                replace_file(path, to_toml(&moved.description).as_bytes()).map_err(cannot)?;
                Ok(warnings)
            }
            #[cfg(feature = "ssp")]
            Some("ssd") => {
                let (text, warnings) = self.structure(path, &self.beside(path).map_err(cannot)?)?;
                replace_file(path, &text).map_err(cannot)?;
                Ok(warnings)
            }
            #[cfg(feature = "ssp")]
            Some("ssp") => self.package(path),
            _ => Err(cannot(io::Error::new(io::ErrorKind::InvalidInput, ENDINGS))),
        }
    }

    /// Omits optional values whose names their FMUs do not have.
    fn drop_idle_values(&mut self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for instance in
            self.description.instances.iter_mut().filter(|instance| instance.start.iter().any(|setting| setting.is_optional))
        {
            let Ok(archive) = Archive::open(&self.base.join(&instance.fmu.value), &OpenOptions::default()) else { continue };
            let interface = archive.interface();
            // The size of an array may be that of a structural parameter, so that any of its elements may exist.
            let of_array = |name: &str| {
                let array = interface.array(name.split('[').next().unwrap_or(name))?;
                interface.variables.get(array.first)
            };
            let is_settable =
                |name: &str| interface.variable(name).or_else(|| of_array(name)).is_some_and(Variable::start_is_settable);
            let idle = instance.start.extract_if(.., |setting| setting.is_optional && !is_settable(&setting.variable.value));
            let dropped = idle.map(|setting| {
                let variable = &setting.variable.value;
                Warning::new(
                    Code::IgnoredValue,
                    format!(
                        "instance `{}` has no variable `{variable}` that can be set: Lotka drops its value",
                        instance.name.value
                    ),
                )
            });
            warnings.extend(dropped);
        }
        warnings
    }

    /// The files of all instances, and then of all sources that have one.
    pub(super) fn parts(&self) -> Vec<PathBuf> {
        let fmus = self.description.instances.iter().map(|instance| self.base.join(&instance.fmu.value));
        fmus.chain(self.tables()).collect()
    }

    /// Replaces their paths.
    pub(super) fn move_files(&mut self, paths: &[PathBuf]) {
        let fmus = self.description.instances.iter_mut().map(|instance| &mut instance.fmu.value);
        let tables = self.description.sources.iter_mut().filter_map(|source| match &mut source.signal {
            SourceSignal::Csv(csv) => Some(&mut csv.path.value),
            _ => None,
        });
        fmus.chain(tables).zip(paths).for_each(|(known, path)| known.clone_from(path));
    }

    /// The paths of all files, relative to a file at `path`. Files of a package are written to a folder beside it.
    fn beside(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let files = self.parts();
        let here = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).canonicalize()?;
        let (names, folder) = (distinct(&files), PathBuf::from(path.file_stem().unwrap_or_default()));
        let mut paths = Vec::new();
        for (file, name) in files.iter().zip(names) {
            if self.folders.iter().any(|unpacked| file.starts_with(unpacked.path())) {
                fs::create_dir_all(here.join(&folder))?;
                replace_file(here.join(&folder).join(&name), &fs::read(file)?)?;
                paths.push(folder.join(name));
            } else {
                let file =
                    file.canonicalize().map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))?;
                paths.push(relative(&here, &file));
            }
        }
        Ok(paths)
    }
}

/// Distinct file names for distinct files. They have plain characters only, because some tools do not understand escapes in
/// paths.
pub(super) fn distinct(files: &[PathBuf]) -> Vec<String> {
    let (mut names, mut taken, mut numbers) = (HashMap::new(), HashSet::new(), HashMap::new());
    let name_of = |file| {
        let name = names.entry(file).or_insert_with_key(|file: &&PathBuf| {
            let stem = plain(&file.file_stem().unwrap_or_default().to_string_lossy());
            let extension = file.extension().map_or("fmu".into(), |extension| plain(&extension.to_string_lossy()));
            let first = numbers.entry((stem.clone(), extension.clone())).or_insert(1);
            loop {
                let name = if *first == 1 { format!("{stem}.{extension}") } else { format!("{stem}_{first}.{extension}") };
                *first += 1;
                if taken.insert(name.clone()) {
                    return name;
                }
            }
        });
        name.clone()
    };
    files.iter().map(name_of).collect()
}

fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}

/// The path from a folder to a file, both absolute.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let common = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other formats can name two of their parts alike; a system file that did would not be read.
    #[test]
    fn what_a_system_file_cannot_hold_twice_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("a.msim");
        let save = |text: &str| {
            fs::write(&project, text).unwrap();
            fs::write(folder.path().join("a.fmu"), "").unwrap();
            let saved = folder.path().join("a.toml");
            System::from_file(&project).unwrap().save(&saved).map(|_| assert!(System::from_file(&saved).is_ok()))
        };
        let both = "tEnd 1 s\nsimulator 0 0 a #fff a.fmu\nsimulator 1 1 b #fff a.fmu\ngraph a.y b.u\n";
        save(both).unwrap();
        let twice = save(&format!("{both}simulator 2 2 a #fff a.fmu\n")).unwrap_err().to_string();
        assert!(twice.contains("there are two instances named `a`"), "{twice}");
        let twice = save(&format!("{both}graph b.y b.u\n")).unwrap_err().to_string();
        assert!(twice.contains("`b.u` has two sources"), "{twice}");
    }

    #[test]
    fn paths_lead_up_and_down() {
        let path = |folder: &str, file: &str| relative(Path::new(folder), Path::new(file)).display().to_string();
        assert_eq!(path("/a/b", "/a/b/c.fmu"), "c.fmu");
        assert_eq!(path("/a/b/x", "/a/c/d.fmu"), "../../c/d.fmu");
        assert_eq!(path("/x", "/a/c.fmu"), "../a/c.fmu");
    }

    #[test]
    fn different_files_have_different_names() {
        let files = ["a/m.fmu", "b/m.fmu", "a/m.fmu", "c/m_2.fmu", "my prey+1.fmu"].map(PathBuf::from);
        assert_eq!(distinct(&files), ["m.fmu", "m_2.fmu", "m.fmu", "m_2_2.fmu", "my_prey_1.fmu"]);
    }
}
