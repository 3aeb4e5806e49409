//! System files: every problem has a place in the text, and what holds together has all its settings.

use std::{cell::LazyCell, fs};

use lotka::{Error, Problems, System};
use tempfile::TempDir;

use crate::hostile::{Entry, pack, source_dir};

thread_local! {
    /// A folder with the FMUs `a.fmu` and `b.fmu`, which have descriptions only: nothing is loaded.
    static FOLDER: LazyCell<TempDir> = LazyCell::new(folder);
}

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    FOLDER.with(|folder| {
        let path = folder.path().join("system.toml");
        fs::write(&path, text).unwrap_or_else(|error| panic!("{error}"));
        match System::from_file(&path) {
            Ok(system) => {
                let analyzed = system.analyze();
                assert_eq!(system.manifest().is_complete, analyzed.is_ok());
                analyzed.err().iter().for_each(|error| check(error, text));
            }
            Err(error) => check(&error, text),
        }
    });
}

fn check(error: &Error, text: &str) {
    assert!(!error.to_string().is_empty());
    if let Error::System(problems) = error {
        check_problems(problems, text);
    }
}

/// There are not more problems than the text can have, and their places are in it.
fn check_problems(problems: &Problems, text: &str) {
    assert!(!problems.list.is_empty() && problems.list.len() <= 16 + text.len(), "{} problems", problems.list.len());
    for problem in &problems.list {
        assert!(!problem.message.is_empty());
        if let Some(span) = &problem.span {
            assert!(text.get(span.clone()).is_some(), "{span:?} is no place in the text: {}", problem.message);
        }
    }
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no scratch folder: {error}"));
    let xml = fs::read(source_dir().join("modelDescription.xml")).unwrap_or_else(|error| panic!("{error}"));
    let archive = pack(&[Entry::stored("modelDescription.xml", xml)]);
    for name in ["a.fmu", "b.fmu"] {
        fs::write(folder.path().join(name), &archive).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    folder
}
