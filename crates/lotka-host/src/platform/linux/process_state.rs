//! Process state that an FMU should not change: working directory, locale, floating-point control, signal handlers, threads,
//! standard streams and open files.

use std::ffi::CStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::{mem, ptr};

use serde::{Deserialize, Serialize};

/// The highest number of a signal with handlers; the lowest is 1.
const LAST_SIGNAL: i32 = 31;

/// The state of a process at a point in time, as far as an FMU in it can change it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessState {
    /// The working directory, if there is one.
    pub directory: Option<PathBuf>,
    /// The locale, as returned by `setlocale`.
    pub locale: String,
    /// Rounding, traps and flush-to-zero of this thread: the control bits of MXCSR and the x87 control word, 0 on other machines.
    pub floating_point: u64,
    /// For signal 1, 2 …: 0 = default action, 1 = ignored, otherwise the address of a handler.
    pub handlers: Vec<usize>,
    /// The threads: number and name.
    pub threads: Vec<(u32, String)>,
    /// Standard input, output and error: device and inode, `None` if closed.
    pub streams: [Option<(u64, u64)>; 3],
    /// Open files other than the standard streams, by their names in the system.
    pub files: Vec<String>,
}

/// The process state of an instance before its FMU was loaded, and later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// Before the library was loaded.
    pub before: ProcessState,
    /// At the time of the request.
    pub now: ProcessState,
}

impl ProcessState {
    /// Reads the state. Parts that cannot be read are empty.
    pub fn read() -> Self {
        Self {
            directory: std::env::current_dir().ok(),
            locale: locale(),
            floating_point: floating_point(),
            handlers: (1..=LAST_SIGNAL).map(handler).collect(),
            threads: threads(),
            streams: [0, 1, 2].map(stream),
            files: files(),
        }
    }

    /// Returns the signals whose handlers differ.
    #[must_use]
    pub fn other_handlers(&self, before: &Self) -> Vec<i32> {
        let pairs = (1..).zip(self.handlers.iter().zip(&before.handlers));
        pairs.filter(|(_, (now, then))| now != then).map(|(signal, _)| signal).collect()
    }

    /// Returns the names of new threads.
    #[must_use]
    pub fn new_threads(&self, before: &Self) -> Vec<&str> {
        let is_new = |thread: &&(u32, String)| !before.threads.iter().any(|(number, _)| *number == thread.0);
        self.threads.iter().filter(is_new).map(|(_, name)| name.as_str()).collect()
    }

    /// Returns the files opened since.
    #[must_use]
    pub fn new_files(&self, before: &Self) -> Vec<&str> {
        let mut known = before.files.clone();
        let mut new = Vec::new();
        for file in &self.files {
            match known.iter().position(|there| there == file) {
                Some(index) => drop(known.swap_remove(index)),
                None => new.push(file.as_str()),
            }
        }
        new
    }
}

fn locale() -> String {
    // SAFETY: without a name `setlocale` only returns the locale; no other thread of this program changes it.
    let name = unsafe { libc::setlocale(libc::LC_ALL, ptr::null()) };
    if name.is_null() {
        return String::new();
    }
    // SAFETY: it points to a text with a NUL character at its end, which stays valid until the locale changes.
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}

/// Handler of a signal; 0 if the system does not return it.
pub(super) fn handler(signal: i32) -> usize {
    // SAFETY: all fields are integers and addresses, for which zero is a valid value.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: without a new action `sigaction` only writes the present one to the given address.
    let code = unsafe { libc::sigaction(signal, ptr::null(), &raw mut action) };
    if code == 0 { action.sa_sigaction } else { 0 }
}

fn threads() -> Vec<(u32, String)> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let thread = |task: fs::DirEntry| {
        let number = task.file_name().to_str()?.parse().ok()?;
        // A sandbox shows which threads there are, not what they are called.
        let name = fs::read_to_string(task.path().join("comm"));
        Some((number, name.map_or_else(|_| format!("number {number}"), |name| name.trim_end().to_owned())))
    };
    let mut threads: Vec<_> = tasks.filter_map(thread).collect();
    threads.sort();
    threads
}

fn stream(number: i32) -> Option<(u64, u64)> {
    fs::metadata(format!("/proc/self/fd/{number}")).ok().map(|data| (data.dev(), data.ino()))
}

/// The folder of open files is itself open while it is read; it is omitted.
fn files() -> Vec<String> {
    let open = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let others = open.filter(|file| !matches!(file.file_name().to_str(), Some("0" | "1" | "2")));
    let targets = others.filter_map(|file| fs::read_link(file.path()).ok()).map(|target| target.to_string_lossy().into_owned());
    let mut files: Vec<_> = targets.filter(|target| !(target.starts_with("/proc/") && target.ends_with("/fd"))).collect();
    files.sort();
    files
}

#[cfg(target_arch = "x86_64")]
fn floating_point() -> u64 {
    use std::arch::asm;
    /// The sticky exception flags of MXCSR, which every computation sets.
    const FLAGS: u32 = 0x3f;
    let (mut vector, mut x87) = (0u32, 0u16);
    // SAFETY: stores the register to the four bytes pointed to.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut vector, options(nostack, preserves_flags)) };
    // SAFETY: stores the register to the two bytes pointed to.
    unsafe { asm!("fnstcw [{}]", in(reg) &raw mut x87, options(nostack, preserves_flags)) };
    u64::from(vector & !FLAGS) << 16 | u64::from(x87)
}

#[cfg(not(target_arch = "x86_64"))]
fn floating_point() -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn a_new_thread_and_a_new_file_are_seen() {
        let before = ProcessState::read();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("left open");
        let file = File::create(&path).unwrap();
        let (release, wait) = mpsc::channel::<()>();
        let started = thread::Builder::new().name("leftover".into()).spawn(move || wait.recv()).unwrap();
        // The thread sets its name itself.
        while !ProcessState::read().new_threads(&before).contains(&"leftover") {
            thread::yield_now();
        }
        let path = path.canonicalize().unwrap();
        assert!(ProcessState::read().new_files(&before).contains(&path.to_str().unwrap()));
        drop((release, file));
        let _ = started.join().unwrap();
        assert!(!ProcessState::read().new_files(&before).contains(&path.to_str().unwrap()));
    }

    #[test]
    fn a_new_handler_is_seen_by_the_number_of_its_signal() {
        let before = ProcessState::read();
        let after = ProcessState { handlers: before.handlers.iter().map(|_| 1).collect(), ..before.clone() };
        assert!(after.other_handlers(&before).contains(&libc::SIGUSR1));
        assert_eq!(before.other_handlers(&before), Vec::<i32>::new());
        // Rust programs ignore SIGPIPE.
        assert_eq!(before.handlers[libc::SIGPIPE as usize - 1], libc::SIG_IGN);
    }

    #[test]
    fn standard_streams_directory_and_locale_are_reported() {
        let now = ProcessState::read();
        assert!(now.streams[1].is_some() && now.streams[2].is_some());
        assert_eq!(now.directory, std::env::current_dir().ok());
        assert!(!now.locale.is_empty());
        assert!(cfg!(not(target_arch = "x86_64")) || now.floating_point != 0);
    }
}
