//! `--sandbox`, and `sandbox` in the system file: an FMU that goes for what is not its own is refused, and the run says so.

use std::fs;

use super::support::{Case, Ended};
use tempfile::TempDir;
use tests::hostile::Hostile;

/// A case with one FMU, and the folder of a user that it goes for.
struct Trespass {
    case: Case,
    home: TempDir,
}

impl Trespass {
    /// `deed` is one of `tests/hostile/sandbox.h`; `settings` belong to the instance.
    fn of(deed: &str, settings: &str) -> Self {
        let home = TempDir::new().unwrap();
        fs::create_dir(home.path().join("listed")).unwrap();
        for file in ["secret", "spare"] {
            fs::write(home.path().join(file), "of the user").unwrap();
        }
        let target = format!("TARGET=\"{}\"", home.path().display());
        let system = format!(
            "[experiment]\nstop = 0.1\nstep = 0.1\n[instances]\na = {{ fmu = 'a.fmu', start = {{ label = '{deed}' }}{settings} }}\n"
        );
        Self { case: Case::new(&system, [Hostile::new("a").define("TRESPASS").define(&target)]), home }
    }

    fn run(deed: &str, flags: &[&str]) -> (Self, Ended) {
        let trespass = Self::of(deed, "");
        let ended = trespass.case.run(flags);
        (trespass, ended)
    }

    /// Whether all that there was is there as it was, and nothing else.
    fn is_untouched(&self) -> bool {
        let mut names: Vec<_> = fs::read_dir(self.home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        let is_as_it_was = |name: &str| fs::read(self.home.path().join(name)).unwrap() == b"of the user";
        names == ["listed", "secret", "spare"] && is_as_it_was("secret") && is_as_it_was("spare")
    }
}

const DEEDS: [(&str, &str); 9] = [
    ("read_home", "cannot read_home: Permission denied"),
    ("write_outside", "cannot write_outside: Permission denied"),
    ("remove_outside", "cannot remove_outside: Permission denied"),
    ("change_mode", "the system call chmod was denied"),
    ("connect_tcp", "the system call socket was denied"),
    ("fork_bomb", "the system call clone was denied"),
    ("kill_parent", "the system call kill was denied"),
    ("read_parent_environment", "cannot read_parent_environment: Permission denied"),
    ("share_memory", "the system call memfd_create was denied"),
];

#[test]
fn every_trespass_is_refused_in_a_sandbox() {
    for (deed, sentence) in DEEDS {
        let (trespass, ended) = Trespass::run(deed, &["--isolate", "--sandbox"]);
        ended.assert(13, &["error: instance `a`: fmi2DoStep", sentence, "the FMU ran in a sandbox"]);
        assert!(trespass.is_untouched(), "{deed}");
    }
}

#[test]
fn every_trespass_succeeds_in_a_process_without_a_sandbox() {
    for (deed, _) in DEEDS {
        let (trespass, ended) = Trespass::run(deed, &["--isolate"]);
        ended.assert(0, &[]);
        assert_eq!(trespass.is_untouched(), !["write_outside", "remove_outside"].contains(&deed), "{deed}");
    }
}

#[test]
fn an_fmu_that_starts_a_program_ends() {
    let (trespass, ended) = Trespass::run("start_program", &["--sandbox"]);
    ended.assert(17, &["SIGSYS (system call denied by the sandbox)", "as functions that start programs do"]);
    assert!(trespass.is_untouched());
    let (trespass, ended) = Trespass::run("start_program", &["--isolate"]);
    ended.assert(0, &[]);
    assert!(trespass.home.path().join("executed").exists());
}

#[test]
fn limits_are_kept() {
    let memory = Trespass::of("allocate_all", ", sandbox = { memory = 1e9 }").case.run(&[]);
    memory.assert(13, &["cannot allocate_all: Cannot allocate memory", "memory is limited to 1000000000 bytes"]);
    let time = Trespass::of("burn_cpu", ", sandbox = { cpu-time = 1 }").case.run(&[]);
    time.assert(17, &["SIGXCPU (CPU time limit)"]);
    for (deed, settings) in [("allocate_all", ", sandbox = true"), ("burn_cpu", ", sandbox = true")] {
        Trespass::of(deed, settings).case.run(&[]).assert(0, &[]);
    }
}

#[test]
fn a_verbose_run_says_how_fmus_with_guards_are_limited() {
    let line = "Lotka limits FMUs with guards ";
    for settings in
        [", sandbox = true", ", isolation = 'process', step-timeout = 10", ", isolation = 'process', init-timeout = 10"]
    {
        Trespass::of("none", settings).case.run(&["-v"]).assert(0, &[line]);
    }
    for settings in ["", ", isolation = 'process'"] {
        let ended = Trespass::of("none", settings).case.run(&["-v"]);
        assert!(!ended.assert(0, &[]).stderr.contains(line), "{settings}");
    }
}

#[test]
fn listed_folders_are_relative_to_the_system_file() {
    let write = Trespass::of("write_listed", ", sandbox = true");
    write.case.run(&[]).assert(13, &["cannot write_listed: Permission denied"]);
    let system = write.case.read("system.toml").replace("sandbox = true", "sandbox = { write = ['listed'] }");
    std::os::unix::fs::symlink(write.home.path().join("listed"), write.case.path("listed")).unwrap();
    write.case.write("system.toml", &system);
    write.case.run(&[]).assert(0, &[]);
    assert!(write.home.path().join("listed/written").exists());
}

#[test]
fn what_is_listed_must_be_there() {
    let trespass = Trespass::of("none", ", sandbox = { read = ['data'], write = ['out'] }");
    let ended = trespass.case.run(&[]);
    ended.assert(
        10,
        &["the sandbox of instance `a` lists", "data, which does not exist", "out, which does not exist", "system.toml:5"],
    );
}

#[test]
fn sound_fmus_give_bitwise_the_same_rows() {
    let case = Case::predator_prey("tolerance = 1e-4\noutput-interval = 1");
    case.run(&[]).assert(0, &[]);
    let here = case.read("out.csv");
    for flags in [&["--isolate"][..], &["--sandbox"]] {
        let ended = case.run(flags);
        ended.assert(0, &[]);
        assert_eq!(case.read("out.csv"), here, "{flags:?}");
        assert!(!ended.stderr.contains("denied"), "{}", ended.stderr);
    }
}
