//! The command is the host of its own FMUs.

use std::{fs, process::Command};

use tests::hostile::{CRASH, Hostile};

use super::support::{Case, Ended, lotka};

/// Runs the command from a folder in which it lies alone. It is a link: a copy cannot be started while another thread starts a
/// process, which has the file open for writing until then.
fn alone(case: &Case, arguments: &[&str]) -> Ended {
    let installed = lotka();
    let folder = tempfile::tempdir_in(installed.parent().unwrap()).unwrap();
    let program = folder.path().join("lotka");
    fs::hard_link(&installed, &program).unwrap();
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
