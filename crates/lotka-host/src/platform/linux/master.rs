//! Ends this process together with its master, whatever the FMU does: the kernel kills it ([`die_with`]), and in case an FMU
//! without a sandbox has changed that, a thread watches the master ([`end_with`]).

use std::io;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, getppid, pidfd_open, set_parent_process_death_signal};

use super::streams;

/// Interval at which a host checks that its master is still running, in case nothing reports its end.
pub(crate) const LOOK_AROUND: Duration = Duration::from_millis(500);

/// Ends this process if its parent is not, or is no longer, the process `master`.
pub(crate) fn end_without(master: u32) {
    if getppid() != pid(master) {
        process::abort();
    }
}

fn pid(number: u32) -> Option<Pid> {
    i32::try_from(number).ok().and_then(Pid::from_raw)
}

/// Has the kernel kill this process when the thread that started it ends, which lives as long as the process `master`. Nothing
/// that an FMU does to the threads of its process prevents that, and a sandbox denies to change it.
pub(crate) fn die_with(master: u32) -> io::Result<()> {
    if !ends_with(master)? {
        process::abort();
    }
    Ok(())
}

/// Has the kernel kill this process with the thread that started it. Returns whether that belongs to the process `parent`, which
/// may have been gone before.
fn ends_with(parent: u32) -> io::Result<bool> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(getppid() == pid(parent))
}

/// Starts a thread that ends this process as soon as the process `master` is gone. If the FMU closes or replaces the file that
/// tells this, the end is noticed within [`LOOK_AROUND`].
pub(crate) fn end_with(master: u32) -> io::Result<()> {
    let gone = || io::Error::new(io::ErrorKind::NotFound, "it is gone");
    let pid = pid(master).ok_or_else(gone)?;
    let descriptor = pidfd_open(pid, PidfdFlags::empty())?;
    // The number could have been reused before the descriptor was opened; that of the parent could not.
    if getppid() != Some(pid) {
        return Err(gone());
    }
    let watch = move || {
        loop {
            let answer = streams::is_readable(&descriptor, Some(LOOK_AROUND));
            end_without(master);
            // While the master is there, its file answers nothing: the call failed, or the file is another one, and both may go
            // on like that.
            if !matches!(answer, Ok(false)) {
                thread::sleep(LOOK_AROUND);
            }
        }
    };
    thread::Builder::new().name("watch".into()).stack_size(64 << 10).spawn(watch)?;
    Ok(())
}

/// The process that supervises this one; 0 without a supervisor.
static SUPERVISOR: AtomicU32 = AtomicU32::new(0);

/// Returns the process that supervises this one.
pub(crate) fn supervisor() -> Option<u32> {
    Some(SUPERVISOR.load(Ordering::Relaxed)).filter(|number| *number != 0)
}

/// Makes the parent of this process, if it still is `parent`, its supervisor: this process ends with it.
///
/// # Errors
/// The parent is gone.
pub(crate) fn supervised_by(parent: u32) -> io::Result<()> {
    if !ends_with(parent)? {
        return Err(io::Error::other("the process that started this one is gone"));
    }
    SUPERVISOR.store(parent, Ordering::Relaxed);
    Ok(())
}
