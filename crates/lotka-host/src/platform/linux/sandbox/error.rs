//! Reasons why an FMU is not confined.

use std::fmt::{self, Display};
use std::path::PathBuf;

/// The reason why an FMU could not be confined; it is then not loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SandboxError {
    /// The kernel lacks landlock.
    #[error(
        "this kernel cannot confine the files of an FMU: {reason}; use Linux 5.13 or later with `landlock` in the boot parameter `lsm=`, \
         or accept a sandbox in which the FMU can read and write all files of the user (`allow-weaker`)"
    )]
    NoLandlock { reason: String },
    /// The kernel lacks seccomp filters.
    #[error(
        "this kernel cannot confine the system calls of an FMU: {reason}; use a kernel with seccomp filters, or accept a sandbox in which the \
         FMU can start programs and use the network (`allow-weaker`)"
    )]
    NoSeccomp { reason: String },
    /// A path in `read` or `write` cannot be opened.
    #[error("the sandbox cannot give access to {}, listed in `{list}`: {reason}; create it or remove it from the list", .path.display())]
    Path { path: PathBuf, list: &'static str, reason: String },
    /// Threads that are already running would stay unconfined.
    #[error("the process has {threads} threads, and only one can be confined")]
    Threads { threads: usize },
    /// The system refuses a part of the confinement.
    #[error("the sandbox cannot {part}: {reason}")]
    Refused { part: Part, reason: String },
}

impl SandboxError {
    /// Whether another kernel would help.
    pub(super) fn is_of_the_kernel(&self) -> bool {
        matches!(self, Self::NoLandlock { .. } | Self::NoSeccomp { .. })
    }
}

/// A part of the confinement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Threads,
    Folder,
    Privileges,
    Limits,
    Handler,
    Files,
    Calls,
}

impl Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Threads => "count the threads of the process",
            Self::Folder => "move to the folder of the FMU's temporary files",
            Self::Privileges => "drop privileges",
            Self::Limits => "limit memory, time and files",
            Self::Handler => "handle denied system calls",
            Self::Files => "confine files",
            Self::Calls => "confine system calls",
        })
    }
}

/// Converts the error of a part.
pub(super) fn part<E: Display>(part: Part) -> impl FnOnce(E) -> SandboxError {
    move |error| SandboxError::Refused { part, reason: error.to_string() }
}
