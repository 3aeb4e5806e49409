//! Crates depend on lower floors only, and ARCHITECTURE.md says so.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

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

/// Number of lines of Rust in a folder.
fn lines(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| match path.extension() {
            _ if path.is_dir() => lines(&path),
            Some(ending) if ending == "rs" => fs::read_to_string(&path).unwrap().lines().count(),
            _ => 0,
        })
        .sum()
}

#[test]
fn no_crate_is_too_large() {
    for name in declared().keys() {
        let n = lines(&root().join("crates").join(name));
        assert!(n > 100 && n <= MOST_LINES, "{name} has {n} lines, at most {MOST_LINES}: divide it");
    }
}

#[test]
fn simulations_know_no_file_and_no_clock() {
    let mut folders: Vec<_> = SIMULATION.iter().map(|name| root().join("crates").join(name).join("src")).collect();
    let mut n_files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            n_files += 1;
            let text = fs::read_to_string(&path).unwrap();
            for word in
                ["std::fs", "File::", ".is_file(", "std::net", "Instant::", "SystemTime", "println!", "fmi2::", "std::process"]
            {
                let is_used = text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(word));
                assert!(!is_used, "{} uses {word}", path.display());
            }
        }
    }
    assert!(n_files > 200, "{n_files}");
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
