//! The model descriptions of the simulators.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    rc::Rc,
};

use fmu::{Archive, OpenOptions};
use lotka_instance::description::Causality;
use lotka_message::Findings;
use lotka_system::{Located, text};

use super::{
    groups::{self, Group},
    structure::End,
};

/// A simulator with its FMU, as far as it can be read: problems are reported when it is loaded.
pub(super) struct Model {
    pub(super) name: String,
    archive: Option<Rc<Archive>>,
    pub(super) groups: Vec<Group>,
}

impl Model {
    /// Whether its FMU can be read.
    pub(super) fn is_read(&self) -> bool {
        self.archive.is_some()
    }
}

/// All simulators, in the order of the file.
#[derive(Default)]
pub(super) struct Models {
    pub(super) list: Vec<Model>,
    /// Files that describe groups.
    pub(super) files: Vec<PathBuf>,
    archives: HashMap<PathBuf, Option<Rc<Archive>>>,
}

impl Models {
    /// Adds a simulator. The groups of its variables are described beside its FMU, or in the folder of the structure.
    pub(super) fn add(&mut self, name: &str, fmu: &Path, folder: &Path, findings: &mut Findings) {
        let open = || Archive::open(fmu, &OpenOptions::default()).ok().map(Rc::new);
        let archive = self.archives.entry(fmu.to_owned()).or_insert_with(open).clone();
        let groups = archive.as_ref().and_then(|archive| {
            let file = format!("{}_OspModelDescription.xml", archive.description().model_name());
            let beside = [fmu.parent().unwrap_or(folder), folder].map(|folder| folder.join(&file));
            let found = beside.iter().find_map(|path| text::read(path).ok())?;
            self.files.push(found.path.clone());
            Some(groups::read(&found, findings))
        });
        self.list.push(Model { name: name.to_owned(), archive, groups: groups.unwrap_or_default() });
    }

    /// Adds a simulator without a valid FMU.
    pub(super) fn add_unread(&mut self, name: &str) {
        self.list.push(Model { name: name.to_owned(), archive: None, groups: Vec::new() });
    }

    /// The simulator that an end belongs to.
    pub(super) fn of(&self, simulator: &Located<String>) -> Option<&Model> {
        self.list.iter().find(|model| model.name == simulator.value)
    }

    /// The causality of a variable, if it is known.
    pub(super) fn causality(&self, end: &End) -> Option<Causality> {
        let interface = self.of(&end.owner)?.archive.as_ref()?.interface();
        interface.variable(&end.name.value).map(|variable| variable.causality)
    }
}
