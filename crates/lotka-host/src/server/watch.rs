//! Ends this process together with its master, whatever the FMU does.

use std::io;
use std::process;
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, getppid, pidfd_open};

/// Ends this process if its parent is not, or is no longer, the process `master`.
pub(super) fn end_without(master: u32) {
    if getppid() != pid(master) {
        process::abort();
    }
}

fn pid(number: u32) -> Option<Pid> {
    i32::try_from(number).ok().and_then(Pid::from_raw)
}

/// Starts a thread that ends this process as soon as the process `master` is gone.
pub(super) fn end_with(master: u32) -> io::Result<()> {
    let gone = || io::Error::new(io::ErrorKind::NotFound, "it is gone");
    let pid = pid(master).ok_or_else(gone)?;
    let descriptor = pidfd_open(pid, PidfdFlags::empty())?;
    // The number could have been reused before the descriptor was opened; that of the parent could not.
    if getppid() != Some(pid) {
        return Err(gone());
    }
    thread::Builder::new().name("watch".into()).stack_size(64 << 10).spawn(move || {
        let mut watched = [PollFd::new(&descriptor, PollFlags::IN)];
        while poll(&mut watched, None).is_err() {}
        process::abort();
    })?;
    Ok(())
}
