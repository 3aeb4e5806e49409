//! System files, descriptions of SSP and of the Open Simulation Platform, projects of MasterSim and multi-models: every problem
//! has a place in the text, what holds together has all its settings, and what is written as a system file reads back the same.

use std::{
    cell::LazyCell,
    fs,
    io::{Cursor, Write},
    path::Path,
};

use lotka::{Error, Problems, System};
use lotka_message::limits::PROBLEMS;
use tempfile::TempDir;
use zip::{ZipWriter, write::SimpleFileOptions};

thread_local! {
    /// A folder with the FMUs `a.fmu` and `b.fmu`, which have descriptions only: nothing is loaded.
    static FOLDER: LazyCell<TempDir> = LazyCell::new(folder);
}

pub(super) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    FOLDER.with(|folder| {
        // The first character tells the formats apart.
        let name = match text.trim_start().chars().next() {
            Some('<') => "system.ssd",
            Some('t') => "system.msim",
            Some('{') => "system.json",
            _ => "system.toml",
        };
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("{error}"));
        match System::from_file(&path) {
            Ok(system) => {
                check_written(&system, folder.path());
                let analyzed = system.analyze();
                assert_eq!(system.manifest().is_complete, analyzed.is_ok());
                analyzed.err().iter().for_each(|error| check(error, text));
            }
            Err(error) => check(&error, text),
        }
    });
}

/// A system whose text has no errors is written as a system file that reads back the same, and is written the same again.
fn check_written(system: &System, folder: &Path) {
    let path = folder.join("written.toml");
    if system.save(&path).is_err() {
        return;
    }
    let text = read(&path);
    let again = System::from_file(&path).unwrap_or_else(|error| panic!("what was written is refused: {error}\n{text}"));
    again.save(&path).unwrap_or_else(|error| panic!("what was written has errors: {error}\n{text}"));
    assert_eq!(text, read(&path));
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn check(error: &Error, text: &str) {
    assert!(!error.to_string().is_empty());
    if let Error::System(problems) = error {
        check_problems(problems, text);
    }
}

/// There are not more problems than a text can have, and their places are in it.
pub(super) fn check_problems(problems: &Problems, text: &str) {
    // A part that is used many times repeats its problems.
    let most = PROBLEMS.max(16 + text.len());
    assert!((1..=most).contains(&problems.list.len()), "{} problems", problems.list.len());
    for problem in &problems.list {
        assert!(!problem.message.is_empty());
        if let Some(span) = &problem.span {
            assert!(text.get(span.clone()).is_some(), "{span:?} is no place in the text: {}", problem.message);
        }
    }
}

/// A folder with FMUs that have descriptions only.
pub(super) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no scratch folder: {error}"));
    for name in ["a.fmu", "b.fmu"] {
        fs::write(folder.path().join(name), archive(name.trim_end_matches(".fmu")))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    folder
}

/// The archive of an FMU without library.
fn archive(name: &str) -> Vec<u8> {
    let description = include_str!("../../hostile/modelDescription.xml").replace("@NAME@", name);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let started = archive.start_file("modelDescription.xml", SimpleFileOptions::default());
    started.unwrap_or_else(|error| panic!("{error}"));
    archive.write_all(description.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    archive.finish().unwrap_or_else(|error| panic!("{error}")).into_inner()
}
