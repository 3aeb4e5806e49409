//! The folder for temporary files: machines that share it (namespaces of processes and mounts in their place), and its path.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;
use tests::{
    hostile::{Gate, Hostile},
    quirks::Quirk,
};

use super::support::{Case, Ended, lotka};

/// A command of another machine, whose processes have other numbers; with another boot ID if there is a file with one.
fn on_machine(case: &Case, shared: &Path, boot_id: Option<&Path>) -> Command {
    let mount =
        boot_id.map_or(String::new(), |file| format!("mount --bind '{}' /proc/sys/kernel/random/boot_id && ", file.display()));
    let script = format!("{mount}exec '{}' run system.toml --no-cache", lotka().display());
    let mut command = in_namespaces(&script);
    command.current_dir(case.dir()).env("TMPDIR", shared).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn in_namespaces(script: &str) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--pid", "--mount", "--fork", "--mount-proc", "sh", "-c", script]);
    command
}

fn unpacked(shared: &Path) -> Vec<PathBuf> {
    fs::read_dir(shared).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn folders_that_another_machine_uses_stay() {
    if !in_namespaces("true").output().is_ok_and(|output| output.status.success()) {
        eprintln!("not tested: this system permits no namespaces");
        return;
    }
    let shared = TempDir::new().unwrap();
    let gate = Gate::new();
    let held = Case::of(Hostile::new("a").gated("fmi2DoStep", &gate).define("FAULT_AT=0.45"));
    let mut first = on_machine(&held, shared.path(), None).spawn().unwrap();
    let waiting = gate.arrival(|| first.try_wait().unwrap().is_some());
    let in_use = unpacked(shared.path());
    assert_eq!(in_use.len(), 2, "{in_use:?}");
    let boot_id = held.path("boot_id");
    fs::write(&boot_id, "11111111-2222-3333-4444-555555555555\n").unwrap();
    let other = Case::of(Hostile::new("a"));
    for boot_id in [None, Some(&*boot_id)] {
        let ended = Ended::from(on_machine(&other, shared.path(), boot_id).output().unwrap());
        ended.assert(0, &[]);
        assert_eq!(unpacked(shared.path()).len(), 2);
        assert!(in_use.iter().all(|folder| folder.join("fmu/modelDescription.xml").is_file()), "{in_use:?}");
    }
    drop((waiting, gate));
    Ended::from(first.wait_with_output().unwrap()).assert(0, &[]);
    assert_eq!(unpacked(shared.path()), Vec::<PathBuf>::new());
}

#[test]
fn fmus_that_decode_nothing_find_their_resources_whatever_the_path_of_temporary_files() {
    let case = Case::new("[experiment]\nstop = 1\nstep = 0.5\n[instances]\na = 'a.fmu'\n", []);
    Quirk::new("resource").described_by("lag").named("a").resource("value.txt", "42.5\n").build(case.dir());
    let strange = case.path("a b%41é");
    fs::create_dir(&strange).unwrap();
    for flags in [&[][..], &["--isolate"], &["--sandbox"]] {
        let mut command = Command::new(lotka());
        command.current_dir(case.dir()).args(["run", "system.toml", "--no-cache"]).args(flags).env("TMPDIR", &strange);
        let ended = Ended::from(command.output().unwrap());
        ended.assert(0, &[]);
        assert!(ended.stdout.ends_with("\n1.0,42.5\n"), "{flags:?}: {}", ended.stdout);
    }
}
