//! Crates depend on lower floors only, and ARCHITECTURE.md says so.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tests::root;

/// Floor and dependencies of a crate, in the order of their names.
type Floors = BTreeMap<String, (u32, Vec<String>)>;

/// The crates of a simulation, which know no file, format or clock.
const SIMULATION: [&str; 5] = ["lotka-plan", "lotka-step", "lotka-prepare", "lotka-run", "lotka-tolerance"];

/// What the table of ARCHITECTURE.md says.
fn documented() -> Floors {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let row = |line: &str| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let floor = cells.get(1)?.parse().ok()?;
        Some((names(cells.get(2)?).first()?.clone(), (floor, names(cells.get(4)?))))
    };
    text.lines().filter_map(row).collect()
}

/// What the manifests say: dependencies of crates under `crates/` on each other, without those of tests and builds.
fn declared() -> BTreeMap<String, Vec<String>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let metadata = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let crates = root().join("crates");
    let packages = metadata["packages"].as_array().unwrap().iter();
    let ours = packages.filter(|package| Path::new(package["manifest_path"].as_str().unwrap()).starts_with(&crates));
    let dependencies = |package: &serde_json::Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        let normal = all.filter(|dependency| dependency["kind"].is_null() && dependency["path"].is_string());
        let mut names: Vec<_> = normal.map(|dependency| dependency["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    ours.map(|package| (package["name"].as_str().unwrap().to_owned(), dependencies(package))).collect()
}

#[test]
fn arrows_run_down_only() {
    let (documented, declared) = (documented(), declared());
    assert!(declared.len() > 10, "{declared:?}");
    for (name, dependencies) in &declared {
        let Some((floor, _)) = documented.get(name) else { panic!("`{name}` is on no floor of ARCHITECTURE.md") };
        for below in dependencies {
            let (lower, _) = documented[below];
            // On one floor crates may stand on each other, without a circle, which Cargo refuses.
            assert!(lower <= *floor, "`{name}` (floor {floor}) depends on `{below}` (floor {lower})");
        }
    }
    assert_eq!(documented.len(), declared.len(), "{:?}", documented.keys().collect::<Vec<_>>());
}

#[test]
fn the_table_names_the_dependencies() {
    let documented = documented();
    for (name, dependencies) in declared() {
        // The façade names what it leaves out.
        if name != "lotka" {
            assert_eq!(documented[&name].1, dependencies, "{name}");
        }
    }
}

/// The most lines of Rust in a crate, with its tests.
const MOST_LINES: usize = 16_000;

#[test]
fn no_crate_is_too_large() {
    for name in declared().keys() {
        let n: usize = sources(&root().join("crates").join(name)).iter().map(|(_, text)| text.lines().count()).sum();
        assert!(n > 100 && n <= MOST_LINES, "{name} has {n} lines, at most {MOST_LINES}: divide it");
    }
}

/// The files of Rust in a folder and below it, with their contents.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => sources(&path),
            Some(ending) if ending == "rs" => vec![(path.clone(), fs::read_to_string(&path).unwrap())],
            _ => Vec::new(),
        })
        .collect()
}

/// None of these words is in the code of a file.
#[track_caller]
fn assert_free_of(path: &Path, text: &str, words: &[&str]) {
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let used = words.iter().find(|word| line.contains(**word));
        assert!(used.is_none(), "{} uses {}: {line}", path.display(), used.unwrap_or(&""));
    }
}

#[test]
fn simulations_know_no_file_and_no_clock() {
    const WORDS: [&str; 9] =
        ["std::fs", "File::", ".is_file(", "std::net", "Instant::", "SystemTime", "println!", "fmi2::", "std::process"];
    let files: Vec<_> = SIMULATION.iter().flat_map(|name| sources(&root().join("crates").join(name).join("src"))).collect();
    assert!(files.len() > 200, "{}", files.len());
    files.iter().for_each(|(path, text)| assert_free_of(path, text, &WORDS));
}

#[test]
fn only_platform_rooms_know_the_operating_system() {
    const WORDS: [&str; 9] =
        ["rustix::", "libc::", "std::os::", "libloading::os", "\"/proc", "\"/sys/", "memmap2::", "landlock::", "seccompiler::"];
    let mut n_rooms = 0;
    for name in declared().keys() {
        for (path, text) in sources(&root().join("crates").join(name).join("src")) {
            let inside = path.strip_prefix(root().join("crates").join(name).join("src")).unwrap();
            let is_platform = inside.starts_with("platform") || inside == Path::new("platform.rs");
            let is_test = inside.iter().any(|part| part == "tests" || part == "tests.rs");
            if is_platform {
                n_rooms += 1;
            } else if !is_test {
                // Tests stand at the end.
                let code = text.find("#[cfg(test)]").or_else(|| text.find("#[cfg(all(test"));
                assert_free_of(&path, &text[..code.unwrap_or(text.len())], &WORDS);
            }
        }
    }
    assert!(n_rooms > 30, "{n_rooms}");
}

/// Files of Rust that a text names between backticks.
fn named_files(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs"))
}

#[test]
fn files_that_documents_name_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut n_rows = 0;
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, floor, name, _, _, start, _] = cells[..] else { continue };
        if floor.parse::<u32>().is_err() {
            continue;
        }
        n_rows += 1;
        for file in named_files(start) {
            assert!(root().join("crates").join(name.trim_matches('`')).join(file).is_file(), "{name}: {file}");
        }
    }
    assert_eq!(n_rows, declared().len());

    let listed = Command::new("find").args(["crates", "tests", "xtask", "-name", "*.rs"]).current_dir(root()).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let crates = SIMULATION.iter().chain(&["lotka-system"]).map(|name| format!("crates/{name}/src/lib.rs"));
    let documents = ["ARCHITECTURE.md", "tests/README.md"].map(str::to_owned).into_iter().chain(crates);
    for document in documents {
        let text = fs::read_to_string(root().join(&document)).unwrap();
        let prose = if document.ends_with(".rs") {
            text.lines().filter(|line| line.starts_with("//!")).collect::<Vec<_>>().join("\n")
        } else {
            text
        };
        for file in named_files(&prose) {
            let ending = format!("/{}", file.trim_start_matches('/'));
            assert!(
                listed.lines().any(|path| format!("/{path}").ends_with(&ending)),
                "{document} names {file}, which does not exist"
            );
        }
    }
}
