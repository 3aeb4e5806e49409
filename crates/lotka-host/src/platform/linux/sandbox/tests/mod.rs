//! Confinement, tested in separate processes: each runs the test [`child`] of this program with variables that select the
//! attempts.

mod attempts;

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::*;
use attempts::{ATTEMPTS, Attempt, Outcome};

/// The mode of the child: `free`, or a level of landlock.
const MODE: &str = "LOTKA_TEST_SANDBOX_MODE";
/// The attempts, separated by commas.
const NAMES: &str = "LOTKA_TEST_SANDBOX_ATTEMPTS";
/// The folder that holds all others.
const FOLDER: &str = "LOTKA_TEST_SANDBOX_FOLDER";

/// Folders of a user and of an FMU.
pub(super) struct Folders(PathBuf);

impl Folders {
    fn make() -> (tempfile::TempDir, Self) {
        let folder = tempfile::tempdir().unwrap();
        let folders = Self(folder.path().to_owned());
        for path in [folders.fmu("resources"), folders.fmu("scratch"), folders.home("readable"), folders.home("writable")] {
            std::fs::create_dir_all(path).unwrap();
        }
        for path in
            [folders.home("secret"), folders.home("readable/data"), folders.fmu("library.so"), folders.fmu("resources/table")]
        {
            std::fs::write(path, "content").unwrap();
        }
        (folder, folders)
    }

    pub(super) fn home(&self, name: &str) -> PathBuf {
        self.0.join("home").join(name)
    }

    pub(super) fn fmu(&self, name: &str) -> PathBuf {
        self.0.join("fmu").join(name)
    }

    fn sandbox(&self) -> Sandbox {
        let (read, write) = (vec![self.home("readable")], vec![self.home("writable")]);
        Sandbox { memory: Some(1 << 30), cpu_time: Some(1), read, write, allow_weaker: false }
    }

    fn confine(&self, level: ABI, sandbox: &Sandbox, denied: DeniedCalls) -> Result<Confinement, SandboxError> {
        confine_at(level, sandbox, &self.fmu(""), &self.fmu("scratch"), denied)
    }
}

/// Makes the attempts and prints the outcomes; as an ordinary test, it does nothing.
#[test]
fn child() {
    let Ok(mode) = std::env::var(MODE) else { return };
    let folders = Folders(std::env::var_os(FOLDER).unwrap().into());
    let words: &'static [AtomicU64] = Box::leak((0..16).map(|_| AtomicU64::new(0)).collect());
    if mode != "free" {
        let level = ABI::from(mode.parse::<i32>().unwrap());
        let mut sandbox = folders.sandbox();
        sandbox.allow_weaker = level == ABI::Unsupported;
        let confinement = folders.confine(level, &sandbox, DeniedCalls::new(words)).unwrap();
        confinement.warnings().iter().for_each(|warning| println!("\nwarning {warning}"));
    }
    for name in std::env::var(NAMES).unwrap().split(',') {
        let attempt = ATTEMPTS.iter().find(|attempt| attempt.name == name).unwrap();
        let result = (attempt.run)(&folders).map_err(|error| error.raw_os_error().unwrap_or(-1));
        println!("\noutcome {name} {} {}", result.err().unwrap_or(0), denied_names(words).join(","));
        words.iter().for_each(|word| word.store(0, Relaxed));
    }
    std::process::exit(0);
}

/// Runs attempts in a child; returns its output, and how it ended.
fn run(folders: &Folders, mode: &str, attempts: &[&Attempt]) -> (String, ExitStatus) {
    let names: Vec<_> = attempts.iter().map(|attempt| attempt.name).collect();
    // Tests are named without their crate.
    let child_test = format!("{}::child", module_path!().split_once("::").unwrap().1);
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &child_test, "--nocapture", "--test-threads=1"])
        .envs([(MODE, mode), (NAMES, &names.join(","))])
        .env(FOLDER, &folders.0)
        .output()
        .unwrap();
    (String::from_utf8_lossy(&child.stdout).into_owned() + &String::from_utf8_lossy(&child.stderr), child.status)
}

/// Error number and denied calls of an attempt, as printed.
fn outcome<'a>(output: &'a str, name: &str) -> (i32, &'a str) {
    let start = format!("outcome {name} ");
    let line = output.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("{name}: {output}"));
    let (number, calls) = line.split_once(' ').unwrap();
    (number.parse().unwrap(), calls)
}

fn check_outcomes(mode: &str, attempts: &[&Attempt], expected: impl Fn(&Attempt) -> (Vec<i32>, &'static str)) {
    let (_folder, folders) = Folders::make();
    let (output, status) = run(&folders, mode, attempts);
    assert!(status.success(), "{mode}: {status} {output}");
    for attempt in attempts {
        let ((number, calls), (numbers, denied)) = (outcome(&output, attempt.name), expected(attempt));
        assert!(numbers.contains(&number), "{mode}, {}: error {number}\n{output}", attempt.name);
        assert_eq!(calls, denied, "{mode}, {}", attempt.name);
    }
    assert_eq!(std::fs::read(folders.home("secret")).unwrap(), b"content", "{mode}");
    assert_eq!(std::fs::read(folders.fmu("library.so")).unwrap(), b"content", "{mode}");
}

fn ordinary() -> Vec<&'static Attempt> {
    ATTEMPTS.iter().filter(|attempt| !matches!(attempt.outcome, Outcome::Killed(_))).collect()
}

#[test]
fn without_a_sandbox_the_same_attempts_succeed() {
    let attempts: Vec<_> = ATTEMPTS.iter().filter(|attempt| attempt.succeeds_freely).collect();
    assert!(attempts.len() > 25, "{}", attempts.len());
    check_outcomes("free", &attempts, |_| (vec![0], ""));
}

#[test]
fn every_level_of_landlock_refuses_the_same() {
    for level in 1..=LEVEL as i32 {
        let level_has_moves = level >= 2;
        check_outcomes(&level.to_string(), &ordinary(), |attempt| match attempt.outcome {
            Outcome::Works => (vec![0], ""),
            Outcome::Moves if level_has_moves => (vec![0], ""),
            // The first level does not support moves between folders and denies them all.
            Outcome::Moves => (vec![libc::EXDEV], ""),
            Outcome::NoAccess => (vec![libc::EACCES, libc::EXDEV], ""),
            Outcome::Fails(error) => (vec![error], ""),
            Outcome::Denied(call) => (vec![libc::EPERM], call),
            Outcome::Killed(_) => unreachable!(),
        });
    }
}

#[test]
fn what_cannot_be_refused_ends_the_process_with_a_signal() {
    for attempt in ATTEMPTS {
        let Outcome::Killed(signal) = attempt.outcome else { continue };
        let (_folder, folders) = Folders::make();
        let (output, status) = run(&folders, "7", &[attempt]);
        assert_eq!((status.signal(), status.core_dumped()), (Some(signal), false), "{}: {status} {output}", attempt.name);
    }
}

#[test]
fn a_kernel_without_landlock_is_accepted_with_a_warning_that_says_what_is_open() {
    let (_folder, folders) = Folders::make();
    let of_files_and_calls: Vec<_> =
        ATTEMPTS.iter().filter(|attempt| ["read a file", "connect"].contains(&attempt.name)).collect();
    let (output, status) = run(&folders, "0", &of_files_and_calls);
    assert!(status.success() && output.contains("weaker than requested: this kernel cannot confine the files"), "{output}");
    assert_eq!((outcome(&output, "read a file").0, outcome(&output, "connect")), (0, (libc::EPERM, "socket")));
}

#[test]
fn a_kernel_without_landlock_is_refused_with_what_to_do() {
    let error = files::lock(Vec::new(), ABI::Unsupported).unwrap_err();
    assert!(error.is_of_the_kernel());
    assert!(error.to_string().contains("lsm=") && error.to_string().contains("allow-weaker"), "{error}");
}

#[test]
fn paths_that_do_not_exist_are_named_with_their_list() {
    let (_folder, folders) = Folders::make();
    let sandbox = Sandbox { write: vec![folders.home("missing")], ..Sandbox::default() };
    let error = files::grants(&sandbox, &folders.fmu(""), &folders.fmu("scratch")).err().unwrap();
    assert!(matches!(&error, SandboxError::Path { list: "write", path, .. } if path.ends_with("missing")), "{error}");
    assert!(files::grants(&Sandbox::default(), &folders.fmu(""), Path::new("/nowhere")).is_err());
}

#[test]
fn a_process_with_other_threads_is_not_confined() {
    let (_folder, folders) = Folders::make();
    let words: &'static [AtomicU64] = Box::leak(Box::new([]));
    let result = confine(&Sandbox::default(), &folders.fmu(""), &folders.fmu("scratch"), DeniedCalls::new(words));
    assert!(matches!(result, Err(SandboxError::Threads { threads: 2.. })), "{result:?}");
}
