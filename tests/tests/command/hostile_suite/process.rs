//! A command that is watched: it is killed, with all its descendants, when it never ends.

use std::{
    fs::{self, File},
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
};

use tempfile::TempDir;
use tests::patience::PATIENCE;

/// What a command left behind.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// It had to be killed.
    pub was_killed: bool,
}

/// A command that works in `folder`, with home and temporary folders in `around`. The cache of contents is elsewhere: it is meant
/// to stay. Each test has its own, because a cache is listed for each FMU that is new in it.
pub fn lotka(arguments: &[&str], folder: &Path, around: &Path) -> Command {
    let mut command = Command::new(tests::lotka());
    command.current_dir(folder).args(arguments).env("HOME", around.join("home")).env("TMPDIR", around.join("tmp"));
    let test = thread::current().name().unwrap_or_default().replace(':', "-");
    command.env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache").join(test));
    command
}

/// Runs it to its end. The streams are files, so that a descendant that keeps them open does not keep this test waiting.
pub fn watch(mut command: Command) -> Ended {
    let logs = TempDir::new().unwrap();
    let [stdout, stderr] = ["stdout", "stderr"].map(|name| logs.path().join(name));
    let create = |path: &Path| Stdio::from(File::create(path).unwrap());
    command.stdin(Stdio::null()).stdout(create(&stdout)).stderr(create(&stderr)).process_group(0);
    let mut child = command.spawn().unwrap();
    let group = child.id();
    let (ended, is_over) = channel::<()>();
    let watchdog = thread::spawn(move || {
        let is_late = is_over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        if is_late {
            kill(&format!("-{group}"));
        }
        is_late
    });
    let status = child.wait().unwrap();
    drop(ended);
    let was_killed = watchdog.join().unwrap();
    let stderr = String::from_utf8_lossy(&fs::read(&stderr).unwrap()).into_owned();
    Ended { status, stdout: fs::read(&stdout).unwrap(), stderr, was_killed }
}

/// Kills a process, or with a minus sign a process group.
pub fn kill(process: &str) {
    // Nothing to do if it is gone by now.
    let _ = Command::new("sh").arg("-c").arg(format!("kill -KILL {process}")).stderr(Stdio::null()).status();
}

/// The processes that work for a test in this folder, by their numbers, environment, arguments and working directory.
pub fn of_folder(around: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let belongs = |process: &Path| {
        let text = |name: &str| String::from_utf8_lossy(&fs::read(process.join(name)).unwrap_or_default()).into_owned();
        let here = around.display().to_string();
        text("environ").contains(&here)
            || text("cmdline").contains(&here)
            || fs::read_link(process.join("cwd")).is_ok_and(|folder| folder.starts_with(around))
    };
    let number = |process: &Path| process.file_name()?.to_str().filter(|name| name.parse::<u32>().is_ok()).map(str::to_owned);
    processes.filter(|process| number(process).is_some() && belongs(process)).filter_map(|process| number(&process)).collect()
}
