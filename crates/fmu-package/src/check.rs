//! The rules for a package, each a function that returns the problems it finds.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use fmi2::description::{self, Severity};

use crate::package::Binary;
use crate::{FmiVersion, GlibcVersion, PackedDescription, Problem};

/// Files by their names in the archive, and the problems found.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    pub(crate) problems: Vec<Problem>,
}

impl Entries {
    pub(crate) fn insert(&mut self, name: &str, bytes: impl Into<Vec<u8>>) {
        let bytes = bytes.into();
        if !is_portable(name) {
            self.problems.push(Problem::BadName { name: name.to_owned() });
        }
        if is_picture(name) && !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            self.problems.push(Problem::NotAPng);
        }
        match self.files.entry(name.to_owned()) {
            Entry::Vacant(entry) => {
                entry.insert(bytes);
            }
            Entry::Occupied(entry) => self.problems.push(Problem::DuplicateEntry { name: entry.key().clone() }),
        }
    }
}

fn is_picture(name: &str) -> bool {
    [FmiVersion::Fmi2, FmiVersion::Fmi3].iter().any(|version| version.picture() == name)
}

/// Returns the problems that prevent packing, and the broken rules that do not affect a run.
pub(crate) fn description(description: &PackedDescription) -> (Vec<Problem>, Vec<description::Problem>) {
    let interface = match description.model_identifier() {
        None => Some(Problem::NoCoSimulation),
        Some(identifier) => (!is_c_identifier(identifier)).then(|| Problem::BadIdentifier { identifier: identifier.into() }),
    };
    let (errors, warnings): (Vec<_>, Vec<_>) =
        description.check().into_iter().partition(|problem| problem.severity == Severity::Error);
    (interface.into_iter().chain(errors.into_iter().map(Problem::Description)).collect(), warnings)
}

/// Checks that all are shared libraries, and that the FMU's own exports exactly the functions of FMI.
pub(crate) fn binaries(version: FmiVersion, library: &Binary, neighbors: &[Binary]) -> Vec<Problem> {
    let foreign = |binary: &Binary| {
        let reason = *binary.facts.as_ref().err()?;
        Some(Problem::NotALibrary { path: binary.path.clone(), reason })
    };
    let mut problems: Vec<_> = neighbors.iter().chain([library]).filter_map(foreign).collect();
    if let Ok(facts) = &library.facts {
        problems.extend(symbols(version, &library.path, &facts.exported));
    }
    problems
}

/// Checks that a library uses no symbol of a C library newer than `oldest`.
pub(crate) fn glibc(binary: &Binary, oldest: GlibcVersion) -> Option<Problem> {
    let symbols = binary.facts.as_ref().ok()?.glibc_symbols_after(oldest);
    (!symbols.is_empty()).then(|| Problem::NewerGlibc { path: binary.path.clone(), oldest, symbols })
}

/// All functions of the version must be there; those of the other one, too, if there are any.
fn symbols(version: FmiVersion, path: &Path, exported: &[String]) -> Vec<Problem> {
    let fmi2 = fmi2::Function::ALL.map(fmi2::Function::symbol);
    let fmi3 = fmi3::Function::ALL.map(fmi3::Function::symbol);
    let has = |name: &&str| exported.iter().any(|there| there == name);
    let wanted = |of: FmiVersion, names: &[&'static str]| {
        if of == version || names.iter().any(has) { names.to_vec() } else { vec![] }
    };
    let wanted = [wanted(FmiVersion::Fmi2, &fmi2), wanted(FmiVersion::Fmi3, &fmi3)].concat();
    let extra: Vec<_> = exported.iter().filter(|name| !wanted.contains(&name.as_str())).cloned().collect();
    let missing: Vec<_> = wanted.into_iter().filter(|name| !has(name)).collect();
    let missing = (!missing.is_empty()).then(|| Problem::MissingSymbols { path: path.to_owned(), names: missing });
    let extra = (!extra.is_empty()).then(|| Problem::ExtraSymbols { path: path.to_owned(), names: extra });
    missing.into_iter().chain(extra).collect()
}

fn is_c_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_portable(name: &str) -> bool {
    let printable = name.bytes().all(|byte| (b' '..=b'~').contains(&byte) && !b"\\:*?\"<>|".contains(&byte));
    printable && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_c_identifiers_name_a_model() {
        assert!(is_c_identifier("_prey2"));
        for bad in ["", "2prey", "predator-prey", "../prey", "préy"] {
            assert!(!is_c_identifier(bad), "{bad}");
        }
    }

    #[test]
    fn only_portable_names_become_entries() {
        assert!(is_portable("extra/org.example/a b.txt"));
        for bad in ["", "/a", "a/", "./a", "a/../b", "a\\b", "ä", "a:b", "a\n"] {
            assert!(!is_portable(bad), "{bad}");
        }
    }

    #[test]
    fn the_same_name_twice_and_a_picture_that_is_none_are_problems() {
        let mut entries = Entries::default();
        entries.insert("model.png", b"GIF89a");
        entries.insert("resources/a", "");
        entries.insert("resources/a", "");
        let duplicate = Problem::DuplicateEntry { name: "resources/a".into() };
        assert_eq!(entries.problems, [Problem::NotAPng, duplicate]);
    }

    #[test]
    fn missing_and_extra_symbols_are_named() {
        let mut exported: Vec<_> = fmi2::Function::ALL.iter().map(|function| function.symbol().to_owned()).collect();
        exported.retain(|name| name != "fmi2CancelStep");
        exported.push("helper".into());
        let problems = symbols(FmiVersion::Fmi2, Path::new("a.so"), &exported);
        let (path, extra) = (Path::new("a.so").to_owned(), vec!["helper".to_owned()]);
        let expected = [
            Problem::MissingSymbols { path: path.clone(), names: vec!["fmi2CancelStep"] },
            Problem::ExtraSymbols { path, names: extra },
        ];
        assert_eq!(problems, expected);
    }

    #[test]
    fn a_library_for_both_versions_has_all_functions_of_both() {
        let fmi2 = fmi2::Function::ALL.iter().map(|function| function.symbol().to_owned());
        let fmi3 = fmi3::Function::ALL.iter().map(|function| function.symbol().to_owned());
        let mut exported: Vec<_> = fmi2.chain(fmi3).collect();
        assert_eq!(exported.len(), 109);
        assert_eq!(symbols(FmiVersion::Fmi2, Path::new("a.so"), &exported), []);
        exported.retain(|name| name != "fmi3GetClock");
        let missing = Problem::MissingSymbols { path: "a.so".into(), names: vec!["fmi3GetClock"] };
        for version in [FmiVersion::Fmi2, FmiVersion::Fmi3] {
            assert_eq!(symbols(version, Path::new("a.so"), &exported), std::slice::from_ref(&missing));
        }
        exported.retain(|name| name.starts_with("fmi2"));
        assert_eq!(symbols(FmiVersion::Fmi2, Path::new("a.so"), &exported), []);
        let [Problem::MissingSymbols { names, .. }] = &symbols(FmiVersion::Fmi3, Path::new("a.so"), &exported)[..] else {
            panic!()
        };
        assert_eq!(names.len(), 75);
    }
}
