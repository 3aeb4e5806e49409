//! `docs/orchestration.md` names tests that exist and options that are understood.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lotka::System;

/// The rows of all tables: notion, what it is, option, test.
fn rows() -> Vec<[String; 4]> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/orchestration.md");
    let text = fs::read_to_string(page).unwrap();
    let cells = |line: &str| line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = text.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---") && !line.starts_with("| notion"));
    rows.map(|line| cells(line).try_into().unwrap_or_else(|cells| panic!("not four cells: {cells:?}"))).collect()
}

/// What stands between backquotes.
fn codes(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Where files of this name are, below the folders of tests.
fn paths(file: &str) -> Vec<PathBuf> {
    let programs = fs::read_dir(tests::root().join("tests/tests")).unwrap().map(|folder| folder.unwrap().path());
    let all = programs.chain([tests::root().join("tests/numerics")]);
    all.map(|folder| folder.join(file)).filter(|path| path.is_file()).collect()
}

#[test]
fn every_notion_has_a_test_that_exists() {
    let rows = rows();
    assert!(rows.len() > 30, "{}", rows.len());
    for [notion, _, _, tests] in rows {
        assert!(codes(&tests).next().is_some(), "{notion} has no test");
        for test in codes(&tests) {
            let (file, name) = test.split_once(": ").unwrap_or_else(|| panic!("{notion}: `{test}` is no file and name"));
            let path = paths(file);
            let [path] = &path[..] else { panic!("{notion}: {file} is {path:?}") };
            let source = fs::read_to_string(path).unwrap();
            assert!(source.contains(&format!("#[test]\nfn {name}() {{")), "{notion}: there is no test `{name}` in {file}");
        }
    }
}

/// Each `key = value` is put into a system file; names and keys that are not known are reported when it is read and resolved.
#[test]
fn every_option_is_understood() {
    let fmus = ["prey", "predator"].map(tests::packed);
    let dir = tempfile::tempdir().unwrap();
    let mut count = 0;
    for [notion, _, options, _] in rows() {
        for option in codes(&options).filter(|code| code.contains(" = ") && !code.starts_with('{')) {
            let text = format!(
                "[experiment]\nstop = 1\nlocal-tolerance = 1e-3\n[instances]\nprey = '{}'\npredator = '{}'\n\
                 [connections]\n'prey.y' = 'predator.y'\n'predator.x' = 'prey.x'\n[algorithm]\n{option}\n",
                fmus[0].display(),
                fmus[1].display()
            );
            let path = dir.path().join("system.toml");
            fs::write(&path, text).unwrap();
            let problems = System::from_file(&path).unwrap().build().err().map(|error| error.to_string()).unwrap_or_default();
            assert!(!problems.contains("unknown") && !problems.contains("there is no "), "{notion}: {option}: {problems}");
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}
