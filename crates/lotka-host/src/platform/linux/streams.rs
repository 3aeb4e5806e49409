//! Standard streams and other files of this process.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stderr, stdout};
use rustix::time::Timespec;

/// The file without content.
const NOTHING: &str = "/dev/null";

/// Waits until data can be read or the other end is closed, at most for this time. Returns whether reading returns immediately.
///
/// # Errors
/// The file cannot be waited for.
pub(crate) fn is_readable(file: &impl AsFd, within: Option<Duration>) -> io::Result<bool> {
    let within = within.map(|time| Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) });
    loop {
        match poll(&mut [PollFd::new(file, PollFlags::IN)], within.as_ref()) {
            Err(Errno::INTR) if within.is_none() => {}
            result => return Ok(result? > 0),
        }
    }
}

/// Leaves an empty standard input to what is loaded later.
pub(crate) fn empty_input() -> io::Result<()> {
    Ok(dup2_stdin(File::open(NOTHING)?)?)
}

/// The standard output as a file that has another number, and that programs started by this one do not inherit.
pub(crate) fn kept_output() -> io::Result<File> {
    Ok(fcntl_dupfd_cloexec(stdout(), 3)?.into())
}

/// The same for the standard error.
pub(crate) fn kept_error() -> io::Result<File> {
    Ok(fcntl_dupfd_cloexec(stderr(), 3)?.into())
}

/// Sends what is written to the standard output to the standard error.
pub(crate) fn output_to_error() -> io::Result<()> {
    Ok(dup2_stdout(stderr())?)
}

/// Drops what is written to the standard output and to the standard error.
pub(crate) fn output_to_nowhere() -> io::Result<()> {
    let nowhere = File::options().write(true).open(NOTHING)?;
    dup2_stdout(&nowhere)?;
    Ok(dup2_stderr(&nowhere)?)
}

/// Closes all files but the standard streams: those that the program which started this one has inherited. This process has
/// opened none of its own.
pub(crate) fn close_inherited() {
    // SAFETY: this process has opened no file yet other than the standard streams. A kernel without the call leaves them open.
    unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
}
