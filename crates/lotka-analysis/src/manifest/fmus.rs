//! The FMUs of a system.

use std::{collections::HashMap, path::Path};

use lotka_instance::{BehaviorRecord, ModelDescription};
use serde::Serialize;

use super::FileIdentity;

/// An FMU of a system, with what it says of its origin.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FmuIdentity {
    /// Its instances, in the order of the system file.
    pub instances: Vec<String>,
    /// The file. An FMU that is linked into the program has none: its path is the name of the model.
    #[serde(flatten)]
    pub file: FileIdentity,
    /// Name of the model; `None`, as all that follows, if the FMU cannot be read.
    pub model_name: Option<String>,
    /// Key that ties the description to the library.
    pub guid: Option<String>,
    /// Version of the model.
    pub version: Option<String>,
    /// Tool that made the FMU.
    pub generation_tool: Option<String>,
    /// When it was made.
    pub generation_date_and_time: Option<String>,
    /// The behavior record that runs use.
    pub behavior: Option<BehaviorRecord>,
    /// Why it cannot be read.
    pub error: Option<String>,
}

/// Where an FMU comes from: its path, whether there is a file, and its description, or why it has no description.
pub struct Origin<'a> {
    /// The file, or the name of the model.
    pub path: &'a Path,
    /// There is a file.
    pub has_file: bool,
    /// What it declares, or why it cannot be read.
    pub description: Result<&'a ModelDescription, String>,
    /// Its behavior record, if it is used.
    pub behavior: Option<BehaviorRecord>,
}

/// Identifies the FMUs of all instances, which go by their names, each file once.
pub fn identify<'a>(instances: impl Iterator<Item = (&'a str, Origin<'a>)>) -> Vec<FmuIdentity> {
    let mut fmus: Vec<FmuIdentity> = Vec::new();
    let mut known: HashMap<&Path, usize> = HashMap::new();
    for (name, origin) in instances {
        let index = *known.entry(origin.path).or_insert_with(|| {
            fmus.push(FmuIdentity::new(origin));
            fmus.len() - 1
        });
        fmus[index].instances.push(name.to_owned());
    }
    fmus
}

impl FmuIdentity {
    fn new(origin: Origin<'_>) -> Self {
        let file = match origin.has_file {
            true => FileIdentity::of(origin.path),
            false => FileIdentity { path: origin.path.to_owned(), size: None, sha256: None },
        };
        let (description, error) = match origin.description {
            Ok(description) => (Some(description), None),
            Err(error) => (None, Some(error)),
        };
        Self {
            instances: Vec::new(),
            file,
            model_name: description.map(|description| description.model_name.clone()),
            guid: description.map(|description| description.token.clone()),
            version: description.and_then(|description| description.version.clone()),
            generation_tool: description.and_then(|description| description.generation_tool.clone()),
            generation_date_and_time: description.and_then(|description| description.generation_date_and_time.clone()),
            behavior: origin.behavior,
            error,
        }
    }
}
