//! Confines the process that an FMU runs in (Linux).
//!
//! Three locks, each of which holds for good and for every thread that is started later: landlock decides which files can be opened
//! (`files`), a seccomp filter which system calls can be made (`calls`, `filter`), limits how much memory, time and files can be used
//! (`limits`). A system call that the filter denies fails with `EPERM` and is noted for the master (`denied`).
//!
//! The filter denies the same calls on every kernel. Later kernels bring landlock levels that deny some of them a second time.
//!
//! Start reading at [`confine`].

mod calls;
mod denied;
mod environment;
mod error;
mod files;
mod filter;
mod limits;
mod note;
#[cfg(test)]
mod tests;

use std::path::Path;

use landlock::ABI;
use lotka_instance::Sandbox;

pub(crate) use denied::{DeniedCalls, denied_names};
pub(crate) use environment::environment;
pub(crate) use error::SandboxError;
use error::{Part, part};
pub(crate) use note::note;

/// The latest landlock level that is made use of: the latest one that was tested.
const LEVEL: ABI = ABI::V7;

/// What became of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Confinement {
    missing: Vec<SandboxError>,
}

impl Confinement {
    /// What is weaker than asked for, in sentences.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.missing.iter().map(|missing| format!("the sandbox is weaker than requested: {missing}")).collect()
    }
}

/// Confines this process, which must have one thread only, for good.
///
/// `folder` is the unpacked FMU, readable, with writable `resources`; `scratch`, an empty folder, becomes the working directory and the place
/// of temporary files. `denied` takes note of system calls that are denied.
///
/// # Errors
/// A path in `read` or `write` cannot be opened, the kernel lacks a lock and `allow_weaker` is off, or it refuses to lock.
pub(crate) fn confine(
    sandbox: &Sandbox,
    folder: &Path,
    scratch: &Path,
    denied: DeniedCalls,
) -> Result<Confinement, SandboxError> {
    only_thread()?;
    confine_at(LEVEL, sandbox, folder, scratch, denied)
}

/// The same with no more of landlock than this level has, and for this thread only.
fn confine_at(
    level: ABI,
    sandbox: &Sandbox,
    folder: &Path,
    scratch: &Path,
    denied: DeniedCalls,
) -> Result<Confinement, SandboxError> {
    let grants = files::grants(sandbox, folder, scratch)?;
    environment::move_to(scratch).map_err(part(Part::Folder))?;
    limits::drop_privileges().map_err(part(Part::Privileges))?;
    limits::set(sandbox).map_err(part(Part::Limits))?;
    denied::note_in(denied).map_err(part(Part::Handler))?;
    let mut missing = Vec::new();
    for lock in [files::lock(grants, level), filter::lock()] {
        match lock {
            Err(error) if error.is_of_the_kernel() && sandbox.allow_weaker => missing.push(error),
            lock => lock?,
        }
    }
    Ok(Confinement { missing })
}

/// Other threads would stay unconfined.
fn only_thread() -> Result<(), SandboxError> {
    let threads = std::fs::read_dir("/proc/self/task").map_err(part(Part::Threads))?.count();
    if threads == 1 { Ok(()) } else { Err(SandboxError::Threads { threads }) }
}
