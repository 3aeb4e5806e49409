//! The inputs of a run: a checkpoint can only be continued with the same ones.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use lotka_run::Checkpoint;
use lotka_step::model::Model;
use lotka_system::{SourceSignal, SystemDescription};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// SHA-256.
type Hash = [u8; 32];

/// Paths and hashes of all inputs of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The system file, if there is one.
    file: Option<Content>,
    /// The description, with the changes by a program or the command line.
    description: Hash,
    /// One per instance.
    fmus: Vec<(String, Content)>,
    /// One per source.
    sources: Vec<(String, Content)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Content {
    path: PathBuf,
    hash: Hash,
}

impl Origin {
    /// Reads the files of the FMUs.
    ///
    /// # Errors
    /// A file cannot be read: its path, and why.
    pub(crate) fn new(description: &SystemDescription, fmus: &[Model]) -> Result<Self, (PathBuf, io::Error)> {
        let file = description.file.as_ref();
        let mut all = description.names().into_iter().map(str::to_owned).zip(fmus);
        let mut hashes = HashMap::new();
        let mut contents = |pairs: &mut dyn Iterator<Item = (String, &Model)>| {
            pairs.map(|(name, fmu)| Ok((name, content(fmu, &mut hashes)?))).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            file: file.map(|file| Content { path: file.path.clone(), hash: Sha256::digest(file.text.as_bytes()).into() }),
            description: Sha256::digest(format!("{:?}", without_paths(description))).into(),
            fmus: contents(&mut all.by_ref().take(description.instances.len()))?,
            sources: contents(&mut all)?,
        })
    }

    /// A hash of all inputs, wherever their files are.
    #[cfg(feature = "parquet")]
    pub(crate) fn digest(&self) -> Hash {
        let mut hasher = Sha256::new();
        hasher.update(self.file.as_ref().map_or([0; 32], |file| file.hash));
        hasher.update(self.description);
        for (name, content) in self.fmus.iter().chain(&self.sources) {
            hasher.update((name.len() as u64).to_le_bytes());
            hasher.update(name);
            hasher.update(content.hash);
        }
        hasher.finalize().into()
    }

    /// Serializes it for a checkpoint.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// Describes the changes since a checkpoint was made; empty if there are none.
    pub(crate) fn changes_since(&self, checkpoint: &Checkpoint) -> Vec<String> {
        let then: Result<Self, _> = postcard::from_bytes(checkpoint.origin());
        then.map_or_else(|_| vec!["it does not describe its system".to_owned()], |then| then.changes(self))
    }

    /// Describes the changes; empty if `now` is the same. Files may have moved.
    fn changes(&self, now: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let hash = |file: &Option<Content>| file.as_ref().map(|file| file.hash);
        if hash(&self.file) != hash(&now.file) {
            changes.push(match &now.file {
                Some(file) => format!("the system file {} has changed", file.path.display()),
                None => "the system came from a file".to_owned(),
            });
        }
        let names = |files: &[(String, Content)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        if names(&self.fmus) != names(&now.fmus) || names(&self.sources) != names(&now.sources) {
            changes.push("the instances or sources of the system have changed".to_owned());
            return changes;
        }
        let pairs = self.fmus.iter().zip(&now.fmus).filter(|((_, old), (_, new))| old.hash != new.hash);
        changes.extend(pairs.map(|(_, (name, new))| format!("the FMU {} of instance `{name}` has changed", new.path.display())));
        let pairs = self.sources.iter().zip(&now.sources).filter(|((_, old), (_, new))| old.hash != new.hash);
        changes.extend(pairs.map(|(_, (name, new))| format!("the file {} of source `{name}` has changed", new.path.display())));
        if changes.is_empty() && self.description != now.description {
            changes.push("settings of the system differ from those of the run".to_owned());
        }
        changes
    }
}

/// The description without the paths of files, which may have moved: their contents are compared.
fn without_paths(description: &SystemDescription) -> SystemDescription {
    let mut rest = description.clone();
    rest.file = None;
    rest.beside.clear();
    rest.instances.iter_mut().for_each(|instance| instance.fmu.value = PathBuf::new());
    for source in &mut rest.sources {
        if let SourceSignal::Csv(csv) = &mut source.signal {
            csv.path.value = PathBuf::new();
        }
    }
    rest
}

/// Path and hash of a model; one without a file is known by its GUID. Each file is read once.
fn content(model: &Model, known: &mut HashMap<PathBuf, Hash>) -> Result<Content, (PathBuf, io::Error)> {
    let file = match model {
        Model::Factory(factory) => factory.file(),
        Model::Source(source) => Some(&*source.path).filter(|path| path.is_file()),
    };
    let path = model.origin().to_owned();
    let Some(file) = file else { return Ok(Content { path, hash: Sha256::digest(&model.description().token).into() }) };
    let hash = match known.get(file) {
        Some(hash) => *hash,
        None => match hash_of(file) {
            Ok(hash) => *known.entry(file.to_owned()).or_insert(hash),
            Err(error) => return Err((path, error)),
        },
    };
    Ok(Content { path, hash })
}

fn hash_of(path: &Path) -> io::Result<Hash> {
    let (mut file, mut hasher, mut block) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hasher.finalize().into()),
            count => hasher.update(&block[..count]),
        }
    }
}
