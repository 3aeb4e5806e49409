//! Linux.

use std::{fs, process::Child};

use rustix::{
    process::{Pid, Signal, kill_process, setpriority_process},
    thread::gettid,
};

use super::Memory;

/// Interrupts a process, as Ctrl-C does.
pub(crate) fn interrupt(child: &Child) {
    // It may have ended, and then its number is not reused before it was waited for.
    let _ = kill_process(Pid::from_child(child), Signal::INT);
}

/// Returns what asks a process to end, from any thread.
pub(crate) fn terminate(child: &Child) -> impl Fn() + Send + Sync + 'static {
    let number = Pid::from_child(child);
    move || {
        // If it has ended, there is nothing left to end.
        let _ = kill_process(number, Signal::TERM);
    }
}

/// Lets all other threads run before this one where there are fewer processors than work. If that cannot be had, it works as
/// well.
pub(crate) fn let_others_run_first(priority: i32) {
    let _ = setpriority_process(Some(gettid()), priority);
}

/// Name of this computer.
pub(crate) fn machine_name() -> Option<String> {
    first_line("/proc/sys/kernel/hostname")
}

/// Release of the kernel.
pub(crate) fn kernel_release() -> Option<String> {
    first_line("/proc/sys/kernel/osrelease")
}

fn first_line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().next().map(str::to_owned)
}

impl Memory {
    /// Reads the values of the kernel, if it provides them.
    pub(crate) fn of_machine() -> Option<Self> {
        Self::read(&fs::read_to_string("/proc/meminfo").ok()?)
    }

    fn read(text: &str) -> Option<Self> {
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
            let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some(1024.0 * kilobytes)
        };
        Some(Self { total: value("MemTotal")? + value("SwapTotal").unwrap_or(0.0), available: value("MemAvailable")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swap_counts_as_memory() {
        let memory =
            Memory::read("MemTotal:       1000 kB\nMemFree:          10 kB\nMemAvailable:    600 kB\nSwapTotal:       500 kB\n");
        assert!(memory.is_some_and(|memory| memory.total == 1024.0 * 1500.0 && memory.available == 1024.0 * 600.0));
        assert!(Memory::read("").is_none());
        assert!(Memory::of_machine().is_some_and(|memory| memory.total >= memory.available));
    }
}
