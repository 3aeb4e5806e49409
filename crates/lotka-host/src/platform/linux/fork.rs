//! A second process that continues where this one is.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use lotka_instance::ProcessEnd;
use rustix::io::retry_on_intr;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, pidfd_open, pidfd_send_signal, waitid,
    waitpid,
};

/// One of the two processes after [`fork`].
pub(crate) enum Forked {
    Parent(ForkedChild),
    Child,
}

/// The new process, as its parent sees it.
pub(crate) struct ForkedChild {
    number: Pid,
    /// Identifies the process even if its number is reused.
    process: OwnedFd,
}

/// Splits this process in two.
///
/// # Errors
/// There are other threads, which the new process would lack; or the system lacks memory, a process, or `/proc`.
pub(crate) fn fork() -> io::Result<Forked> {
    if fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err(io::Error::other("other threads were started before"));
    }
    // A system without such descriptors must be noticed before there is a child.
    pidfd_open(getpid(), PidfdFlags::empty())?;
    // SAFETY: no other thread could hold a lock or be in the middle of a change, so that the child may do everything that this
    // process may.
    let number = match unsafe { libc::fork() } {
        0 => return Ok(Forked::Child),
        number => Pid::from_raw(number).filter(|_| number > 0).ok_or_else(io::Error::last_os_error)?,
    };
    let process = pidfd_open(number, PidfdFlags::empty()).inspect_err(|_| {
        // Without its parent it has nothing to do.
        let _ = kill_process(number, Signal::KILL).and_then(|()| waitpid(Some(number), WaitOptions::empty()));
    })?;
    Ok(Forked::Parent(ForkedChild { number, process }))
}

impl ForkedChild {
    pub(crate) fn id(&self) -> u32 {
        self.number.as_raw_nonzero().get().unsigned_abs()
    }

    /// Kills the process, if it has not ended.
    pub(crate) fn kill(&self) {
        let _ = pidfd_send_signal(&self.process, Signal::KILL);
    }

    /// Waits for the end of the process. Its number belongs to it until [`Self::end`] is called.
    ///
    /// # Errors
    /// The system does not report its end.
    pub(crate) fn wait(&self) -> io::Result<()> {
        retry_on_intr(|| waitid(WaitId::Pid(self.number), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT))?;
        Ok(())
    }

    /// Waits for the end of the process, and returns how it ended.
    ///
    /// # Errors
    /// The system does not say it.
    pub(crate) fn end(&self) -> io::Result<ProcessEnd> {
        let status = retry_on_intr(|| waitpid(Some(self.number), WaitOptions::empty()))?;
        let (_, status) = status.ok_or_else(|| io::Error::other("the system does not tell how the child ended"))?;
        Ok(end_of(ExitStatus::from_raw(status.as_raw())))
    }
}

/// How a process ended.
pub(crate) fn end_of(status: ExitStatus) -> ProcessEnd {
    match status.signal() {
        Some(signal) => ProcessEnd::Signal(signal),
        None => ProcessEnd::Exit(status.code().unwrap_or_default()),
    }
}
