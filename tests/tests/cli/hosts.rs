//! The command is the host of its own FMUs.

use std::{fs, process::Command};

use tests::hostile::{CRASH, Hostile};

use super::support::{Case, Ended, lotka};

/// Runs a copy of the command that lies alone in a folder.
fn alone(case: &Case, arguments: &[&str]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("lotka");
    fs::copy(lotka(), &program).unwrap();
    let output = Command::new(program).current_dir(case.dir()).env_remove("LOTKA_FMU_HOST").args(arguments).output().unwrap();
    output.into()
}

#[test]
fn the_command_alone_isolates_and_confines() {
    let case = Case::of(Hostile::new("a"));
    case.run(&[]).assert(0, &[]);
    let expected = case.read("out.csv");
    for place in ["--isolate", "--sandbox"] {
        let ended = alone(&case, &["run", "system.toml", "--output-file", "isolated.csv", place]);
        ended.assert(0, &[]);
        assert_eq!(case.read("isolated.csv"), expected);
    }
    alone(&case, &["check", "a.fmu", "--run"]).assert(0, &[]);
}

#[test]
fn a_crash_in_a_host_of_the_command_is_an_error_of_the_run() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", CRASH));
    alone(&case, &["run", "system.toml", "--isolate"]).assert(17, &["instance `a`: fmi2DoStep", "SIGSEGV"]);
}
