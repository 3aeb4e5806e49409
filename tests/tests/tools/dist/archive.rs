//! The archive: it works where it is unpacked.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;
use tests::shells::{completed, formatted};

use super::{alone, succeed, unpacked};

/// The files in a folder and its folders that have this extension.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|of_file| of_file == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn the_command_runs_and_isolates_with_nothing_around_it() {
    let folder = TempDir::new().unwrap();
    let top = unpacked(&folder.path().join("any where"));
    let lotka = |arguments: &[&str]| {
        succeed(&alone(top.join("bin/lotka"), folder.path()).current_dir(&top).args(arguments).output().unwrap())
    };
    let run = ["run", "examples/predator-prey/system.toml", "--output-file"];
    lotka(&[&run[..], &["rows.csv"]].concat());
    assert_eq!(fs::read_to_string(top.join("rows.csv")).unwrap().lines().count(), 102);
    // First the command alone, then with the program beside it.
    for (name, host) in [("alone.csv", None), ("beside.csv", Some(top.join("bin/lotka-fmu-host")))] {
        let mut command = alone(top.join("bin/lotka"), folder.path());
        command.current_dir(&top).args(run).args([name, "--isolate"]).envs(host.map(|host| ("LOTKA_FMU_HOST", host)));
        succeed(&command.output().unwrap());
        lotka(&["compare", "rows.csv", name]);
    }
}

#[test]
fn every_example_has_its_fmus_and_tables() {
    let folder = TempDir::new().unwrap();
    let top = unpacked(&folder.path().join("a"));
    let systems = files(&top.join("examples"), "toml");
    assert!(systems.len() >= 25, "{systems:?}");
    for system in &systems {
        succeed(&alone(top.join("bin/lotka"), folder.path()).arg("inspect").arg(system).output().unwrap());
    }
    let driven = top.join("examples/driven-mass/system.toml");
    succeed(&alone(top.join("bin/lotka"), folder.path()).args(["run", "--quiet"]).arg(driven).output().unwrap());
    // One of them is of FMI 3.0.
    assert_eq!(files(&top.join("examples/fmus"), "fmu").len(), 22);
}

/// What the page at the top of the archive says, line by line in one shell.
#[test]
fn its_first_page_tells_the_truth() {
    let folder = TempDir::new().unwrap();
    let top = unpacked(&folder.path().join("a"));
    let page = fs::read_to_string(top.join("README.md")).unwrap();
    let blocks: Vec<_> = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 2);
    let mut shell = Command::new("bash");
    shell.args(["--norc", "-e", "-c"]).arg(blocks.concat()).current_dir(&top).env("HOME", folder.path());
    succeed(&shell.output().unwrap());
    assert!(fs::read_to_string(top.join("report.html")).unwrap().contains("predator"));
    for name in ["bin", "examples", "share", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"] {
        assert!(top.join(name).exists(), "{name}");
    }
}

#[test]
fn pages_and_completions_are_those_of_the_command() {
    let folder = TempDir::new().unwrap();
    let top = unpacked(&folder.path().join("a"));
    let pages = files(&top.join("share/man/man1"), "1");
    assert!(pages.iter().any(|page| page.ends_with("lotka-run.1")) && pages.len() > 10, "{pages:?}");
    for page in &pages {
        let title = page.file_stem().unwrap().to_str().unwrap();
        assert!(formatted(page).contains(&format!("{title}(1)")), "{title}");
    }
    let bash = top.join("share/bash-completion/completions/lotka");
    succeed(&Command::new("bash").arg("-n").arg(&bash).output().unwrap());
    assert_eq!(completed(&bash, "lotka run --tol"), "--tolerance");
    for (path, begin) in [
        ("zsh/site-functions/_lotka", "#compdef lotka\n"),
        ("fish/vendor_completions.d/lotka.fish", "# Print an optspec for argparse"),
    ] {
        let script = fs::read_to_string(top.join("share").join(path)).unwrap();
        assert!(script.starts_with(begin) && script.contains("checkpoint-every"), "{path}");
    }
}
