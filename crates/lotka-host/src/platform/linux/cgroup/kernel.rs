//! The files in which the kernel shows processes and cgroups.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::platform::supervisor;

/// Where these files are, and how a cgroup comes and goes. Tests have a tree of plain files instead.
pub(super) struct Kernel {
    /// `/proc`.
    pub proc: PathBuf,
    /// This process, and the one that supervises it.
    pub own: Vec<u32>,
    /// Creates a cgroup, whose files the kernel fills in.
    pub create: fn(&Path) -> io::Result<()>,
    /// Removes a cgroup; the kernel refuses it while processes are in it.
    pub remove: fn(&Path) -> io::Result<()>,
}

impl Kernel {
    pub fn real() -> Self {
        let own = [process::id()].into_iter().chain(supervisor()).collect();
        Self { proc: "/proc".into(), own, create: |path| fs::create_dir(path), remove: |path| fs::remove_dir(path) }
    }

    pub fn has_process(&self, process: u32) -> bool {
        self.proc.join(process.to_string()).exists()
    }

    /// Whether a process is this one, its supervisor, or was started by them.
    pub fn is_own(&self, process: u32) -> bool {
        /// A longer line of ancestors is a broken one.
        const GENERATIONS: usize = 64;
        let ancestors = std::iter::successors(Some(process), |&process| self.parent(process));
        ancestors.take(GENERATIONS).any(|process| self.own.contains(&process))
    }

    fn parent(&self, process: u32) -> Option<u32> {
        let text = fs::read_to_string(self.proc.join(format!("{process}/stat"))).ok()?;
        // The name of the program before may contain anything.
        text.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
    }
}

/// Writes a value to a file of a cgroup.
pub(super) fn write(cgroup: &Path, file: &str, value: &str) -> io::Result<()> {
    // The kernel takes the value of each call of `write`, wherever the file was opened.
    OpenOptions::new().append(true).open(cgroup.join(file))?.write_all(format!("{value}\n").as_bytes())
}

/// The words of a file of a cgroup; none if it cannot be read.
pub(super) fn words(cgroup: &Path, file: &str) -> Vec<String> {
    let text = fs::read_to_string(cgroup.join(file)).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

/// The number behind a name in a file of a cgroup.
pub(super) fn number(cgroup: &Path, file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(cgroup.join(file)).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    value.trim().parse().ok()
}

/// The processes of a cgroup, without those of its children.
pub(super) fn processes(cgroup: &Path) -> Vec<u32> {
    words(cgroup, "cgroup.procs").iter().filter_map(|number| number.parse().ok()).collect()
}
