//! Reasons why hosts have no cgroups, or cgroups without limits.

use std::io;
use std::path::PathBuf;

/// The reason.
#[derive(Debug, thiserror::Error)]
pub(super) enum Obstacle {
    #[error("this system has no cgroup v2")]
    NoVersion2,
    #[error("no mounted file system shows the cgroup {}", .cgroup.display())]
    NotMounted { cgroup: PathBuf },
    #[error("the cgroup {} is not delegated to this user: {reason}", .cgroup.display())]
    NotDelegated { cgroup: PathBuf, reason: io::Error },
    #[error("the cgroup {} does not have them", .cgroup.display())]
    NotOffered { cgroup: PathBuf },
    #[error("other programs are in the cgroup {}, such as process {process}", .cgroup.display())]
    Shared { cgroup: PathBuf, process: u32 },
    #[error("the cgroup {} does not pass them on: {reason}", .cgroup.display())]
    NotEnabled { cgroup: PathBuf, reason: io::Error },
    #[error("{}: cannot {action}: {reason}", .cgroup.display())]
    Host { cgroup: PathBuf, action: &'static str, reason: io::Error },
}
