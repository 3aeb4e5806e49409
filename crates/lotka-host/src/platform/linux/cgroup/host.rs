//! The cgroup of a host.

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::kernel::{Kernel, number, processes, write};
use super::obstacle::Obstacle;
use super::place::{CgroupParent, create_in};

/// Maximum number of threads and processes of an FMU in a sandbox: more than libraries start that take a thread per core.
const MOST_THREADS: &str = "1024";

/// How often processes that fork are killed one by one.
const ROUNDS: usize = 100;

/// How often removal is tried, with pauses: processes need some time to end.
const TRIES: usize = 1000;
const PAUSE: Duration = Duration::from_millis(1);

/// The limits of a host.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Limits {
    /// Memory \[byte\].
    pub memory: Option<u64>,
    /// Whether the number of threads is limited.
    pub threads: bool,
}

/// A cgroup with the process of one FMU and all that this process starts. They end with it.
#[derive(Debug)]
pub(crate) struct HostCgroup {
    folder: PathBuf,
    remove: fn(&Path) -> io::Result<()>,
    /// Memory limit in force \[byte\].
    memory: Option<u64>,
}

impl HostCgroup {
    /// Creates a cgroup without processes. Returns the limits that it could not set, too.
    ///
    /// # Errors
    /// The kernel refuses to create it.
    pub(super) fn create(kernel: &Kernel, place: &CgroupParent, limits: Limits) -> Result<(Self, Vec<Obstacle>), Obstacle> {
        let folder = create_in(kernel, &place.folder).map_err(|reason| Obstacle::Host {
            cgroup: place.folder.clone(),
            action: "create the cgroup of a host",
            reason,
        })?;
        let mut cgroup = Self { folder, remove: kernel.remove, memory: None };
        let mut refused = Vec::new();
        if let Some(bytes) = limits.memory.filter(|_| place.has("memory")) {
            cgroup.memory = cgroup.set("memory.max", &bytes.to_string(), &mut refused).then_some(bytes);
            // Memory that is swapped out would not count, and an FMU that loses one of its processes is lost.
            cgroup.set("memory.swap.max", "0", &mut refused);
            cgroup.set("memory.oom.group", "1", &mut refused);
        }
        if limits.threads && place.has("pids") {
            cgroup.set("pids.max", MOST_THREADS, &mut refused);
        }
        Ok((cgroup, refused))
    }

    fn set(&self, file: &'static str, value: &str, refused: &mut Vec<Obstacle>) -> bool {
        let result = write(&self.folder, file, value);
        let refusal = |reason| Obstacle::Host { cgroup: self.folder.join(file), action: "set the limit", reason };
        result.map_err(|reason| refused.push(refusal(reason))).is_ok()
    }

    /// Takes a process in.
    pub(super) fn take(&self, process: u32) -> io::Result<()> {
        write(&self.folder, "cgroup.procs", &process.to_string())
    }

    /// Processor time of all processes so far, also of those that have ended; `None` if the kernel does not report it.
    pub fn cpu_time(&self) -> Option<Duration> {
        number(&self.folder, "cpu.stat", "usage_usec").map(Duration::from_micros)
    }

    /// The memory limit \[byte\], if the kernel has killed processes because of it.
    pub fn exceeded_memory(&self) -> Option<u64> {
        self.memory.filter(|_| number(&self.folder, "memory.events", "oom_kill").is_some_and(|count| count > 0))
    }

    /// Kills all its processes.
    pub fn kill(&self) {
        if write(&self.folder, "cgroup.kill", "1").is_err() {
            self.kill_each();
        }
    }

    /// Does the same on Linux before 5.14.
    fn kill_each(&self) {
        // Frozen processes do not fork, and can be killed.
        let _ = write(&self.folder, "cgroup.freeze", "1");
        for _ in 0..ROUNDS {
            let processes = processes(&self.folder);
            if processes.is_empty() {
                break;
            }
            for process in processes.into_iter().filter_map(|process| Pid::from_raw(i32::try_from(process).ok()?)) {
                // It may have ended.
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }
}

impl Drop for HostCgroup {
    fn drop(&mut self) {
        self.kill();
        for _ in 0..TRIES {
            match (self.remove)(&self.folder) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => thread::sleep(PAUSE),
                // What is left, the next master removes.
                _ => return,
            }
        }
    }
}
