//! `lotka run --watch`: runs the system again when one of its files changes.
//!
//! Every run is a separate process with the same flags, because the libraries of FMUs stay in a process until it ends. A failed
//! run does not end the watch. Files are polled a few times a second, which works on every file system.

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

use crate::{
    console::Console, console_flags::Verbosity, counted::counted, exit::ExitCode, interrupt, platform, request::Arguments,
};

/// The flag, which is removed from the arguments of the runs.
const FLAG: &str = "--watch";

/// Interval between polls of the files. A file is complete if it did not change between two polls.
const LOOK: Duration = Duration::from_millis(150);

/// Interval between checks whether a run has ended.
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

/// Size, time and inode of a file, which identify its version; `None` if the file does not exist.
type Look = Option<(u64, SystemTime, u64)>;

fn look(path: &PathBuf) -> Look {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?, metadata.ino()))
}

fn looks(files: &[PathBuf]) -> Vec<Look> {
    files.iter().map(look).collect()
}

/// Waits until a file has changed and is complete.
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

/// The run in progress.
#[derive(Clone, Default)]
struct Present {
    child: Arc<Mutex<Option<Child>>>,
    is_interrupted: Arc<AtomicBool>,
}

impl Present {
    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the system once. The process has its own group, so interrupts of the terminal reach it only once, through this
    /// process.
    fn run(&self) -> io::Result<()> {
        let mut is_flag = true;
        let flags = env::args_os().skip(1).filter(|argument| {
            is_flag &= argument != "--";
            !(is_flag && argument == FLAG)
        });
        // An interrupt waits until there is a run to forward it to.
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

    /// Forwards an interrupt to the run; between runs, ends the command.
    fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::SeqCst);
        match self.child().as_ref() {
            Some(child) => platform::interrupt(child),
            None => process::exit(ExitCode::Interrupted as i32),
        }
    }
}
