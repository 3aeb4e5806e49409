//! `lotka run --watch`: runs again when a file of the system changes.
//!
//! Every run is a process of its own with the same flags: libraries of FMUs stay in a process until it ends, and a run that fails is no reason to
//! stop watching. Files are looked at a few times a second, which works on every file system.

use std::{
    env, fs, io,
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{self, Child, Command},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, SystemTime},
};

use lotka::Code;
use rustix::process::{Pid, Signal, kill_process};

use crate::{console::Console, console_flags::Verbosity, counted::counted, exit::ExitCode, interrupt, request::Arguments};

/// The flag, which the runs do not get.
const FLAG: &str = "--watch";

/// How often files are looked at. A file is whole when it does not change from one look to the next.
const LOOK: Duration = Duration::from_millis(150);

/// How often is looked whether a run has ended.
const WAIT: Duration = Duration::from_millis(20);

/// Runs the system again and again, until it is interrupted.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    let present = Present::default();
    interrupt::catch(console);
    let interrupted = present.clone();
    interrupt::hold().act(move || interrupted.interrupt());
    let mut files = vec![arguments.system.clone()];
    loop {
        if let Ok(system) = arguments.system_of_file() {
            files = system.files();
        }
        let before = looks(&files);
        if let Err(error) = present.run() {
            console.error(Code::NoProcess, &format!("cannot start the run: {error}"));
        }
        if present.is_interrupted.load(Ordering::SeqCst) {
            return ExitCode::Interrupted;
        }
        let count = counted(files.len(), "file");
        console.say(Verbosity::Normal, &format!("watching {count} and repeating the run on changes; press Ctrl-C to stop"));
        let changed = wait_for_change(&files, before);
        console.say(Verbosity::Normal, &format!("\n{} changed", changed.display()));
    }
}

/// What tells one version of a file from another; `None` if it is not there.
type Look = Option<(u64, SystemTime, u64)>;

fn look(path: &PathBuf) -> Look {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?, metadata.ino()))
}

fn looks(files: &[PathBuf]) -> Vec<Look> {
    files.iter().map(look).collect()
}

/// Waits until a file is another one than before and is whole.
fn wait_for_change(files: &[PathBuf], before: Vec<Look>) -> &Path {
    let mut last = before.clone();
    loop {
        let now = looks(files);
        let is_settled = now == last;
        let changed = now.iter().zip(&before).position(|(now, before)| now != before && now.is_some());
        if let Some(index) = changed.filter(|_| is_settled) {
            return &files[index];
        }
        last = now;
        thread::sleep(LOOK);
    }
}

/// The run that is being made.
#[derive(Clone, Default)]
struct Present {
    child: Arc<Mutex<Option<Child>>>,
    is_interrupted: Arc<AtomicBool>,
}

impl Present {
    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the system once. The process is in a group of its own: interrupts of the terminal reach it through this one only, once.
    fn run(&self) -> io::Result<()> {
        let mut is_flag = true;
        let flags = env::args_os().skip(1).filter(|argument| {
            is_flag &= argument != "--";
            !(is_flag && argument == FLAG)
        });
        // An interrupt waits until there is a run to hand it to.
        let mut child = self.child();
        *child = Some(Command::new(env::current_exe()?).args(flags).process_group(0).spawn()?);
        drop(child);
        loop {
            let mut child = self.child();
            if child.as_mut().map_or(Ok(None), Child::try_wait)?.is_some() {
                *child = None;
                return Ok(());
            }
            drop(child);
            thread::sleep(WAIT);
        }
    }

    /// Hands an interrupt to the run; between runs it ends the command.
    fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::SeqCst);
        match self.child().as_ref() {
            // A run that has just ended needs no interrupt. Its number is not given away before it was waited for.
            Some(child) => drop(kill_process(Pid::from_child(child), Signal::INT)),
            None => process::exit(ExitCode::Interrupted as i32),
        }
    }
}
