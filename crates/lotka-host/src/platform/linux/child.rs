//! A process that this one has started, and all processes that it starts.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::Duration;

use lotka_instance::ProcessEnd;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::fork::end_of;
use super::{starter, streams};

/// How a process ends that was killed.
pub(crate) const KILLED: ProcessEnd = ProcessEnd::Signal(libc::SIGKILL);

/// How a process ends that makes a denied system call which cannot be made to fail.
pub(crate) const DENIED_CALL: ProcessEnd = ProcessEnd::Signal(libc::SIGSYS);

/// A process in a group of its own: an interrupt from the terminal does not reach it, and it ends with what it started.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    child: Child,
    /// Becomes readable when the process ends.
    descriptor: OwnedFd,
}

impl ChildProcess {
    /// # Errors
    /// The program cannot be started, or its process not be watched.
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        command.process_group(0);
        let mut child = starter::spawn(command)?;
        match pidfd_open(Pid::from_child(&child), PidfdFlags::empty()) {
            Ok(descriptor) => Ok(Self { child, descriptor }),
            Err(error) => {
                let _ = child.kill().and_then(|()| child.wait());
                Err(error.into())
            }
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process ends within this time.
    pub(crate) fn has_ended(&self, within: Duration) -> bool {
        streams::is_readable(&self.descriptor, Some(within)).unwrap_or(false)
    }

    /// Kills the process.
    pub(crate) fn kill(&mut self) {
        // If it fails, the process has ended.
        let _ = self.child.kill();
    }

    /// Kills what is left of the process and of those that it started in its group.
    pub(crate) fn kill_all(&self) {
        // The group survives if the process started others.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
    }

    /// Waits for the end of the process.
    ///
    /// # Errors
    /// The system does not return how it ended.
    pub(crate) fn wait(&mut self) -> io::Result<ProcessEnd> {
        self.child.wait().map(end_of)
    }
}
