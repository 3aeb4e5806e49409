//! Confinement of the process in which an FMU runs (Linux).
//!
//! Three locks confine the process, each of which is permanent and applies to every thread started later. Landlock determines
//! which files can be opened (`files`). A seccomp filter determines which system calls can be made (`calls`, `filter`). Limits
//! bound memory, time and files (`limits`). A system call denied by the filter fails with `EPERM` and is recorded for the master
//! (`denied`).
//!
//! The filter denies the same calls on every kernel. Later kernels have landlock levels that deny some of them as well.
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

/// The latest landlock level in use: the latest one that was tested.
const LEVEL: ABI = ABI::V7;

/// The result of the confinement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Confinement {
    missing: Vec<SandboxError>,
}

impl Confinement {
    /// Returns the parts that are weaker than requested, in sentences.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.missing.iter().map(|missing| format!("the sandbox is weaker than requested: {missing}")).collect()
    }
}

/// Confines this process permanently; it must have a single thread.
///
/// `folder` is the unpacked FMU, readable, with writable `resources`. `scratch`, an empty folder, becomes the working directory
/// and the place of temporary files. `denied` records denied system calls.
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

/// Does the same with at most this level of landlock, and for this thread only.
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

/// Checks that there are no other threads, which would stay unconfined.
fn only_thread() -> Result<(), SandboxError> {
    let threads = std::fs::read_dir("/proc/self/task").map_err(part(Part::Threads))?.count();
    if threads == 1 { Ok(()) } else { Err(SandboxError::Threads { threads }) }
}
