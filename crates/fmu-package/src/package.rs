//! An FMU being assembled: collected, checked as a whole, and written at once.

use std::collections::BTreeMap;
use std::env::consts::DLL_EXTENSION;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use fmi2::description::Problem as RuleProblem;

use crate::check::{self, Entries};
use crate::documentation::index_html;
use crate::platform::for_everybody;
use crate::{Declared, Error, FmiVersion, GlibcVersion, Library, NotALibrary, PackedDescription, Problem, Result, archive};

/// Content of one `.fmu`. [`Package::write_to`] reads the libraries.
#[derive(Debug, Clone)]
pub struct Package {
    declared: Declared,
    library: PathBuf,
    neighbors: Vec<PathBuf>,
    oldest_glibc: Option<GlibcVersion>,
    equations: String,
    files: Vec<(String, Vec<u8>)>,
}

/// A written FMU. Displays as one line: path, number of exported symbols, required C library.
#[derive(Debug, Clone, PartialEq)]
pub struct Packed {
    /// The file.
    pub path: PathBuf,
    /// Number of symbols that the library of the FMU exports.
    pub exported_symbols: usize,
    /// Oldest GNU C library with which the FMU loads; `None` if every version works.
    pub glibc: Option<GlibcVersion>,
    /// Broken rules in the model description that do not affect a run.
    pub warnings: Vec<RuleProblem>,
}

impl Package {
    /// Creates a package of this model and this built library (for Linux on x86-64). For a library not made with the kit, pass a
    /// [`fmi2::ModelDescription`] or a [`fmi3::ModelDescription`].
    pub fn new(model: impl Into<Declared>, library: impl Into<PathBuf>) -> Self {
        Self {
            declared: model.into(),
            library: library.into(),
            neighbors: vec![],
            oldest_glibc: None,
            equations: String::new(),
            files: vec![],
        }
    }

    /// Adds a shared library that the first one needs. It keeps its file name. The first library finds it if linked with the
    /// run path `$ORIGIN`.
    #[must_use]
    pub fn beside(mut self, library: impl Into<PathBuf>) -> Self {
        self.neighbors.push(library.into());
        self
    }

    /// Rejects libraries that use symbols of a C library newer than this one, so that the FMU runs on systems with this version.
    #[must_use]
    pub fn oldest_glibc(mut self, version: GlibcVersion) -> Self {
        self.oldest_glibc = Some(version);
        self
    }

    /// Sets the text about the equations in `documentation/index.html`: an HTML fragment, inserted unchanged. The rest of the
    /// page, with the table of variables, is generated.
    #[must_use]
    pub fn equations(mut self, html: impl Into<String>) -> Self {
        self.equations = html.into();
        self
    }

    /// Adds a file under its name in the archive, such as `model.png` (in an FMU of FMI 3.0, it becomes
    /// `terminalsAndIcons/icon.png`), `resources/table.csv` or `documentation/licenses/license.txt`.
    #[must_use]
    pub fn file(mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), bytes.into()));
        self
    }

    /// Returns whether a file below this folder of the archive has been added.
    pub(crate) fn has_files_under(&self, folder: &str) -> bool {
        self.files.iter().any(|(name, _)| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }

    /// Checks everything, then writes `modelIdentifier.fmu` into `folder`, which is created if necessary. The file appears
    /// complete or not at all. Its bytes depend only on the packed content.
    ///
    /// # Errors
    /// [`Error::Unfit`] with all problems at once; [`Error::Read`], [`Error::Write`].
    pub fn write_to(&self, folder: &Path) -> Result<Packed> {
        let library = Binary::read(&self.library)?;
        let neighbors = self.neighbors.iter().map(|path| Binary::read(path)).collect::<Result<Vec<_>>>()?;
        let (mut problems, warnings) = check::description(self.description());
        problems.extend(self.declared.problems.iter().cloned().map(Problem::Declaration));
        problems.extend(check::binaries(self.description().version(), &library, &neighbors));
        if let Some(oldest) = self.oldest_glibc {
            problems.extend(neighbors.iter().chain([&library]).filter_map(|binary| check::glibc(binary, oldest)));
        }
        let entries = self.entries(&library, &neighbors);
        problems.extend(entries.problems);
        if !problems.is_empty() {
            return Err(Error::Unfit { name: self.description().model_name().into(), problems });
        }
        let path = folder.join(format!("{}.fmu", self.identifier()));
        write_atomically(folder, &path, &entries.files).map_err(|reason| Error::Write { path: path.clone(), reason })?;
        let glibc = neighbors.iter().chain([&library]).filter_map(|binary| binary.facts.as_ref().ok()?.glibc).max();
        let exported_symbols = library.facts.map_or(0, |facts| facts.exported.len());
        Ok(Packed { path, exported_symbols, glibc, warnings })
    }

    fn entries(&self, library: &Binary, neighbors: &[Binary]) -> Entries {
        let mut entries = Entries::default();
        entries.insert(archive::MODEL_DESCRIPTION, self.description().to_xml());
        let version = self.description().version();
        let platform = version.platform();
        entries.insert(&format!("binaries/{platform}/{}.{DLL_EXTENSION}", self.identifier()), &*library.bytes);
        for neighbor in neighbors {
            let name = neighbor.path.file_name().unwrap_or_default().to_string_lossy();
            entries.insert(&format!("binaries/{platform}/{name}"), &*neighbor.bytes);
        }
        if let Ok(facts) = &library.facts {
            entries.insert("documentation/index.html", index_html(self.description(), &platform, &self.equations, facts));
        }
        for (name, bytes) in &self.files {
            let name = if name == FmiVersion::Fmi2.picture() { version.picture() } else { name };
            entries.insert(name, &**bytes);
        }
        entries
    }

    fn description(&self) -> &PackedDescription {
        &self.declared.description
    }

    fn identifier(&self) -> &str {
        self.description().model_identifier().unwrap_or_default()
    }
}

impl Packed {
    /// Prints the line of this FMU to stdout and the warnings to stderr.
    pub fn report(&self) {
        println!("{self}");
        self.warnings.iter().for_each(|warning| eprintln!("warning: {}: {warning}", self.path.display()));
    }
}

/// A library as found on disk.
#[derive(Debug)]
pub(crate) struct Binary {
    pub(crate) path: PathBuf,
    bytes: Vec<u8>,
    pub(crate) facts: std::result::Result<Library, NotALibrary>,
}

impl Binary {
    fn read(path: &Path) -> Result<Self> {
        let bytes = read(path)?;
        Ok(Self { path: path.to_owned(), facts: Library::inspect(&bytes), bytes })
    }
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|reason| Error::Read { path: path.to_owned(), reason })
}

fn write_atomically(folder: &Path, path: &Path, entries: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".pack-").permissions(for_everybody()).tempfile_in(folder)?;
    archive::write(entries, BufWriter::new(&mut file))?;
    file.persist(path)?;
    Ok(())
}

impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} exported symbols, ", self.path.display(), self.exported_symbols)?;
        match self.glibc {
            Some(version) => write!(f, "needs glibc {version}"),
            None => f.write_str("needs no glibc"),
        }
    }
}
