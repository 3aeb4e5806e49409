//! The inputs of a system, determined without loading a library.

use std::{collections::HashMap, path::PathBuf, rc::Rc};

use fmu::{Archive, OpenOptions};
use lotka_analysis::manifest::{FileIdentity, Manifest, Origin, SourceIdentity, Versions, complete, identify};
use lotka_system::{SourceSettings, SourceSignal, SystemDescription, resolve, sources as known};

use super::{System, declared::Declared};

/// An FMU, as far as it can be read.
#[derive(Clone)]
enum Source {
    Declared(Rc<Declared>),
    /// It cannot be read.
    Refused(PathBuf, String),
}

impl System {
    /// Returns the inputs of a run of this system: its files with their hashes, and every setting. This reads the FMUs and loads
    /// no library.
    ///
    /// Unreadable or inconsistent parts leave gaps instead of an error, so that failed runs have a manifest, too.
    #[must_use]
    pub fn manifest(&self) -> Manifest {
        let sources = self.sources();
        let names = self.description.instances.iter().map(|instance| instance.name.value.as_str());
        let file = self.description.file.as_ref();
        let settings = self.complete(&sources);
        Manifest {
            system: file.map(|file| FileIdentity::of_bytes(&file.path, file.text.as_bytes())),
            fmus: identify(names.zip(sources.iter().map(|source| source.origin(self)))),
            sources: self.description.sources.iter().filter_map(|source| self.identify(source)).collect(),
            is_complete: settings.is_some(),
            settings: settings.unwrap_or_else(|| self.description.clone()),
            versions: Versions::of_this_program(),
        }
    }

    /// The file of a source, if it has one.
    fn identify(&self, source: &SourceSettings) -> Option<SourceIdentity> {
        let SourceSignal::Csv(csv) = &source.signal else { return None };
        let file = FileIdentity::of(self.base.join(&csv.path.value));
        Some(SourceIdentity { name: source.name.value.clone(), file })
    }

    /// The FMU of every instance, each file read once.
    fn sources(&self) -> Vec<Source> {
        let mut read: HashMap<PathBuf, Source> = HashMap::new();
        let instances = self.description.instances.iter();
        let sources = instances.map(|instance| match self.fmus.get(&instance.name.value) {
            Some(fmu) => Source::Declared(Rc::new(Declared::by(fmu.clone()))),
            None => {
                let path = self.base.join(&instance.fmu.value);
                read.entry(path.clone()).or_insert_with(|| Source::read(path)).clone()
            }
        });
        sources.collect()
    }

    /// The description with its defaults, if all FMUs can be read and the system is consistent.
    fn complete(&self, sources: &[Source]) -> Option<SystemDescription> {
        let declared: Vec<_> = sources.iter().map(Source::declared).collect::<Option<_>>()?;
        let mut findings = self.findings.clone();
        let declared = self.with_structures(declared, &findings, |declared| declared.interface(), Declared::shared_with).ok()?;
        let mut interfaces: Vec<_> = declared.iter().map(|declared| declared.interface()).collect();
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let models = known::models(&self.description, &self.base, &descriptions, &mut findings);
        interfaces.extend(models.iter().map(|model| known::interface(model)));
        self.guards(&mut findings);
        let (resolved, _) = resolve(&self.description, findings, &interfaces, &self.methods).ok()?;
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        Some(complete(&self.description, &resolved, &resolved.graph(&descriptions), &descriptions))
    }
}

impl Source {
    fn read(path: PathBuf) -> Self {
        match Archive::open(&path, &OpenOptions::default()) {
            Ok(archive) => Self::Declared(Rc::new(Declared::of(archive))),
            Err(error) => Self::Refused(path, error.to_string()),
        }
    }

    fn declared(&self) -> Option<Rc<Declared>> {
        match self {
            Self::Declared(declared) => Some(declared.clone()),
            Self::Refused(..) => None,
        }
    }

    fn origin(&self, system: &System) -> Origin<'_> {
        let (path, has_file, description) = match self {
            Self::Declared(fmu) => (&fmu.path, fmu.has_file(), Ok(&fmu.description)),
            Self::Refused(path, error) => (path, true, Err(error.clone())),
        };
        Origin { path, has_file, description, behavior: if has_file { system.record_of(path) } else { None } }
    }
}
