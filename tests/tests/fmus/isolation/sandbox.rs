//! What FMUs can and cannot do in a sandbox; without one, the same FMUs do all of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::built;
use fmu::InstantiateOptions;
use lotka_host::{HostOptions, HostedFmu, Sandbox};
use lotka_instance::{Cause, Experiment, Instance, LogSink, ProcessEnd, StringRef};
use tempfile::TempDir;
use tests::host_program;
use tests::hostile::{Entry, Hostile};

/// The folder of a user, and an FMU that goes for it.
struct Place {
    dir: TempDir,
    fmu: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("listed")).unwrap();
        for file in ["secret", "spare"] {
            fs::write(dir.path().join(file), "of the user").unwrap();
        }
        let target = format!("TARGET=\"{}\"", dir.path().display());
        let table = |entries: &mut Vec<Entry>| entries.push(Entry::stored("resources/table.txt", "1 2 3"));
        let fmu = Hostile::new("trespasser").define("TRESPASS").define(&target).edit_archive(table);
        let fmu = fmu.build(dir.path());
        Self { dir, fmu }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Files and what is in them, but for the FMU.
    fn content(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
        let all = files(self.dir.path()).into_iter().chain(files(&self.path("listed")));
        let mut content: Vec<_> = all.filter(|path| path.is_file()).map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        content.sort();
        content
    }

    fn sandbox(&self) -> Sandbox {
        Sandbox { memory: Some(1 << 30), cpu_time: Some(1), write: vec![self.path("listed")], ..Sandbox::default() }
    }
}

/// The value of `y` after a step in which the FMU does a deed; warnings.
fn step(fmu: &Path, deed: &str, sandbox: Option<Sandbox>) -> (Result<f64, Box<lotka_instance::CallError>>, Vec<String>) {
    let options = HostOptions { program: Some(host_program()), sandbox, ..HostOptions::default() };
    let fmu = HostedFmu::open(fmu, options).unwrap();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let log: LogSink = Arc::new(move |line| kept.lock().unwrap().push(line.message));
    let mut instance = fmu.instantiate("a", &InstantiateOptions { log: Some(log), ..InstantiateOptions::default() }).unwrap();
    instance.set_string(&[StringRef(0)], &[deed]).unwrap();
    instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    let mut output = [f64::NAN];
    let result = instance.do_step(0.0, 0.5, true).and_then(|_| instance.get_real(&[lotka_instance::RealRef(1)], &mut output));
    drop(instance);
    let lines = lines.lock().unwrap().clone();
    (result.map(|()| output[0]), lines)
}

/// What is denied, and what the message says.
const REFUSED: [(&str, &[&str]); 16] = [
    ("read_home", &["cannot read_home: Permission denied", "ran in a sandbox", "those listed"]),
    ("write_outside", &["Permission denied", "ran in a sandbox"]),
    ("remove_outside", &["Permission denied", "ran in a sandbox"]),
    ("change_mode", &["Operation not permitted", "the system call chmod was denied"]),
    ("connect_tcp", &["Operation not permitted", "the system call socket was denied"]),
    ("execute", &["Operation not permitted", "the system call execve was denied"]),
    ("start_program", &["SIGSYS", "functions that start programs"]),
    ("fork_bomb", &["the system call clone was denied"]),
    ("trace_parent", &["Operation not permitted", "the system call ptrace was denied"]),
    ("kill_parent", &["Operation not permitted", "the system call kill was denied"]),
    ("open_parent_memory", &["Permission denied", "ran in a sandbox"]),
    ("read_parent_environment", &["Permission denied", "ran in a sandbox"]),
    ("read_environment", &["cannot read_environment"]),
    ("share_memory", &["Operation not permitted", "the system call memfd_create was denied"]),
    ("allocate_all", &["Cannot allocate memory", "memory is limited to 1073741824 bytes"]),
    ("burn_cpu", &["SIGXCPU", "ran in a sandbox"]),
];

#[test]
fn each_trespass_is_refused_and_named_and_changes_nothing() {
    let place = Place::new();
    let before = place.content();
    for (deed, said) in REFUSED {
        let (result, lines) = step(&place.fmu, deed, Some(place.sandbox()));
        let error = result.expect_err(deed);
        let message = error.to_string();
        assert!(said.iter().all(|text| message.contains(text)), "{deed}: {message}");
        assert!(!lines.iter().any(|line| line.contains("the system call")), "{deed} is told twice: {lines:?}");
        assert_eq!(place.content(), before, "{deed}");
    }
}

#[test]
fn without_a_sandbox_every_trespass_succeeds() {
    // Who may trace or read its parent is a matter of the system.
    let by_right = ["trace_parent", "open_parent_memory", "execute"];
    let deeds = REFUSED.iter().map(|(deed, _)| *deed).filter(|deed| !by_right.contains(deed));
    let place = Place::new();
    for deed in deeds {
        let (result, _) = step(&place.fmu, deed, None);
        assert!(result.is_ok(), "{deed}: {}", result.unwrap_err());
    }
    assert!(place.path("written").exists() && place.path("executed").exists() && !place.path("spare").exists());
}

#[test]
fn a_program_that_would_replace_the_fmu_ends_it_without_a_sandbox() {
    let place = Place::new();
    let error = step(&place.fmu, "execute", None).0.unwrap_err();
    assert!(matches!(error.cause, Cause::ProcessEnded(ProcessEnd::Exit(0))), "{error}");
    assert!(place.path("executed").exists());
}

#[test]
fn what_is_allowed_gives_bitwise_the_same_numbers() {
    let place = Place::new();
    for deed in ["none", "read_resource", "write_temporary", "run_threads", "write_listed"] {
        let (free, confined) = (step(&place.fmu, deed, None), step(&place.fmu, deed, Some(place.sandbox())));
        assert_eq!(free.0.unwrap().to_bits(), confined.0.unwrap().to_bits(), "{deed}");
        assert_eq!(confined.1, Vec::<String>::new(), "{deed}");
    }
    assert!(place.path("listed/written").exists());
}

#[test]
fn a_folder_that_is_not_there_is_refused_before_the_library_is_loaded() {
    let place = Place::new();
    let sandbox = Sandbox { read: vec![place.path("missing")], ..Sandbox::default() };
    let options = HostOptions { program: Some(host_program()), sandbox: Some(sandbox), ..HostOptions::default() };
    let message = HostedFmu::open(&place.fmu, options).unwrap_err().to_string();
    assert!(message.contains("missing, listed in `read`: No such file or directory"), "{message}");
}

#[test]
fn a_cache_that_an_fmu_could_change_is_not_used() {
    let (fmu, around) = (built(Hostile::new("kept")), tempfile::tempdir().unwrap());
    let cache = around.path().join("cache");
    let open = |write: Vec<PathBuf>| {
        let sandbox = Sandbox { write, ..Sandbox::default() };
        let options = HostOptions {
            program: Some(host_program()),
            sandbox: Some(sandbox),
            cache: Some(cache.clone()),
            ..HostOptions::default()
        };
        HostedFmu::open(&fmu.path, options).unwrap()
    };
    open(vec![around.path().to_owned()]);
    assert!(!cache.exists());
    open(Vec::new());
    assert!(cache.exists());
}
