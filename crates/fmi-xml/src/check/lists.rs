//! The lists of `ModelStructure`: which variables they have, and the kinds of dependencies.

use std::collections::HashSet;

use crate::finding::Findings;
use crate::names::DependencyKind;
use crate::place::Place;

/// A list that must contain exactly some variables, each once. Variables are identified as in the file: by index or value
/// reference.
#[derive(Debug)]
pub struct Listing<'a> {
    /// The rule.
    pub rule: &'static str,
    /// The list in messages, as in "in `<Outputs>`".
    pub phrase: &'a str,
    /// Variables that must be listed.
    pub required: &'a [u32],
    /// Further variables that may be listed.
    pub optional: &'a [u32],
    /// The entries; those of variables that do not exist are ignored.
    pub entries: &'a [u32],
    /// The place of an entry.
    pub place: fn(usize) -> Place,
}

/// Removes dependencies of an unknown that do not exist, so that it may depend on everything, and kinds that do not belong to its
/// dependencies.
pub fn repair_dependencies(
    dependencies: &mut Option<Vec<u32>>,
    kinds: &mut Option<Vec<DependencyKind>>,
    exists: impl Fn(u32) -> bool,
) {
    let length = dependencies.as_ref().map(Vec::len);
    if dependencies.as_ref().is_some_and(|list| !list.iter().all(|id| exists(*id))) {
        *dependencies = None;
        *kinds = None;
    }
    if kinds.as_ref().map(Vec::len) != length {
        *kinds = None;
    }
}

impl Findings {
    /// Checks a list. `name` returns the name of a variable, and `entry` the XML of its entry.
    pub fn listing<'n>(&mut self, list: &Listing<'_>, name: impl Fn(u32) -> Option<&'n str>, entry: impl Fn(u32) -> String) {
        let Listing { rule, phrase, .. } = list;
        let wanted: HashSet<u32> = list.required.iter().chain(list.optional).copied().collect();
        let mut left = wanted.clone();
        for (position, id) in list.entries.iter().enumerate() {
            let Some(name) = name(*id) else { continue };
            if !left.remove(id) {
                let why = if wanted.contains(id) { "twice" } else { "but does not belong in this list" };
                let message = format!("\"{name}\" is listed {phrase} {why}");
                self.warn((list.place)(position), rule, message, "remove it");
            }
        }
        for id in list.required.iter().filter(|id| left.contains(id)) {
            let message = format!("\"{}\" is not listed {phrase}", name(*id).unwrap_or_default());
            self.warn(Place::ModelStructure, rule, message, &format!("add {}", entry(*id)));
        }
    }

    /// Checks that there are as many kinds as dependencies.
    pub fn number_of_kinds(&mut self, place: Place, dependencies: Option<&[u32]>, kinds: Option<&[DependencyKind]>) {
        let n_dependencies = dependencies.map(<[_]>::len);
        if let Some(kinds) = kinds.filter(|kinds| n_dependencies != Some(kinds.len())) {
            let message = format!("there are {} dependencies and {} kinds", n_dependencies.unwrap_or(0), kinds.len());
            self.warn(place, "dependencies-kind", message, "list one kind for each dependency");
        }
    }

    /// Checks the kinds of an initial unknown, which have no factors that change later. `list` is the list in messages.
    pub fn initial_kinds(&mut self, place: Place, list: &str, kinds: Option<&[DependencyKind]>) {
        let mut kinds = kinds.unwrap_or_default().iter();
        if let Some(kind) = kinds.find(|kind| !matches!(kind, DependencyKind::Dependent | DependencyKind::Constant)) {
            let message = format!("{list} contains the dependency kind {}", kind.name());
            self.warn(place, "dependencies-kind", message, "use dependent or constant");
        }
    }
}
