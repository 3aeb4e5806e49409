//! What a system is made from, found out without loading a library.

use std::{collections::HashMap, path::PathBuf, rc::Rc};

use fmu::{Archive, OpenOptions};

use super::{
    SourceSettings, SourceSignal, System,
    loading::interface,
    resolve::{self, Interface},
    sources as known,
};
use crate::{
    manifest::{FileIdentity, Manifest, Origin, SourceIdentity, Versions, complete, identify},
    simulation::Loaded,
};

/// An FMU as far as it is known.
#[derive(Clone)]
enum Source {
    Loaded(Loaded),
    Archive(Rc<Archive>),
    /// It cannot be read.
    Refused(PathBuf, String),
}

impl System {
    /// What a run of this system is made from: its files with their hashes, and every setting. The FMUs are read, no library is loaded.
    /// What cannot be read, or does not hold together, leaves gaps instead of an error: failed runs have a manifest, too.
    pub fn manifest(&self) -> Manifest {
        let sources = self.sources();
        let names = self.description.instances.iter().map(|instance| instance.name.value.as_str());
        let file = self.description.file.as_ref();
        let settings = self.complete(&sources);
        Manifest {
            system: file.map(|file| FileIdentity::of_bytes(&file.path, file.text.as_bytes())),
            fmus: identify(names.zip(sources.iter().map(Source::origin))),
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
            Some(fmu) => Source::Loaded(fmu.clone()),
            None => {
                let path = self.base.join(&instance.fmu.value);
                read.entry(path.clone()).or_insert_with(|| Source::read(path)).clone()
            }
        });
        sources.collect()
    }

    /// The description with its defaults, if all FMUs can be read and everything holds together.
    fn complete(&self, sources: &[Source]) -> Option<super::SystemDescription> {
        let mut interfaces: Vec<_> = sources.iter().map(Source::interface).collect::<Option<_>>()?;
        let mut findings = self.findings.clone();
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let models = known::models(&self.description, &self.base, &descriptions, &mut findings);
        interfaces.extend(models.iter().map(|model| known::interface(model)));
        self.guards(&mut findings);
        let (resolved, _) = resolve::resolve(&self.description, findings, &interfaces).ok()?;
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        Some(complete(&self.description, &resolved, &resolved.graph(&descriptions), &descriptions))
    }
}

impl Source {
    fn read(path: PathBuf) -> Self {
        match Archive::open(&path, &OpenOptions::default()) {
            Ok(archive) => Self::Archive(Rc::new(archive)),
            Err(error) => Self::Refused(path, error.to_string()),
        }
    }

    fn interface(&self) -> Option<Interface<'_>> {
        match self {
            Self::Loaded(fmu) => Some(Interface::of(fmu)),
            Self::Archive(archive) => Some(interface(archive)),
            Self::Refused(..) => None,
        }
    }

    fn origin(&self) -> Origin<'_> {
        match self {
            Self::Loaded(fmu) => Origin { path: fmu.path(), has_file: fmu.path().is_file(), description: Ok(fmu.description()) },
            Self::Archive(archive) => Origin { path: archive.path(), has_file: true, description: Ok(archive.description()) },
            Self::Refused(path, error) => Origin { path, has_file: true, description: Err(error.clone()) },
        }
    }
}
