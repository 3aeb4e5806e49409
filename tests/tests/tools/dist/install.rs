//! `cargo install` from a clone.

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;
use tests::{packed, root, selected};

use super::{alone, succeed};

fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root());
    command
}

/// The command is all that `lotka run --isolate` needs (`tests/tests/command/cli/hosts.rs`), and all that is installed. To build
/// it once more, with the features that it has when it is built alone, takes minutes: all tests in full do that.
#[test]
fn cargo_installs_a_command_that_needs_nothing_else() {
    let metadata = succeed(&cargo().args(["metadata", "--no-deps", "--locked", "--format-version=1"]).output().unwrap());
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let package = metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == "lotka-cli").unwrap();
    let targets = package["targets"].as_array().unwrap().iter();
    let programs: Vec<_> = targets.filter(|target| target["kind"][0] == "bin").map(|target| &target["name"]).collect();
    assert_eq!(programs, ["lotka"]);
    if selected(true, false) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut install = cargo();
    install.args(["install", "--debug", "--locked", "--path", "crates/lotka-cli", "--root"]).arg(folder.path());
    install.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("install"));
    succeed(&install.output().unwrap());
    let programs: Vec<_> = fs::read_dir(folder.path().join("bin")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(programs, ["lotka"]);
    let system = format!("[experiment]\nstop = 10\nstep = 0.1\n[instances]\nprey = '{}'\n", packed("prey").display());
    fs::write(folder.path().join("system.toml"), system).unwrap();
    let mut lotka = alone(folder.path().join("bin/lotka"), folder.path());
    lotka.args(["run", "system.toml", "--isolate", "--output-file", "rows.csv"]).current_dir(folder.path());
    succeed(&lotka.output().unwrap());
    assert_eq!(fs::read_to_string(folder.path().join("rows.csv")).unwrap().lines().count(), 102);
}
