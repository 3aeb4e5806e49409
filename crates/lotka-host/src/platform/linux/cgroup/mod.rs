//! A cgroup (version 2) for each host with guards, where the user may create them.
//!
//! It counts what a host and all processes that it starts use together, which limits of single processes do not: memory and
//! threads are limited, a flood of threads gets the share of one process, the processor time of ended processes counts for time
//! limits, and no process outlives the host.
//!
//! [`place`] finds where cgroups can be created, [`host`] is the one of a host. A host is put there before it is asked to load
//! anything. Where cgroups are not available, or lack a controller, [`describe_cgroups`] says why; the limits of each process
//! apply in any case.

mod host;
mod kernel;
mod obstacle;
mod place;
#[cfg(test)]
pub(crate) mod tests;

use std::fmt::Write;
use std::sync::OnceLock;

use lotka_instance::HostOptions;
use rustix::io::Errno;

pub(crate) use self::host::HostCgroup;
use self::host::Limits;
use self::kernel::Kernel;
use self::obstacle::Obstacle;
use self::place::CgroupParent;

/// The cgroups of this process, found when the first host with guards starts.
static CGROUPS: OnceLock<Cgroups> = OnceLock::new();

/// Where the hosts of a process have their cgroups.
struct Cgroups {
    kernel: Kernel,
    place: Result<CgroupParent, Obstacle>,
    /// The first thing that could not be done for a host.
    failure: OnceLock<Obstacle>,
}

/// Creates the cgroup of a host, if it has guards and cgroups are available.
pub(crate) fn of_host(options: &HostOptions) -> Option<HostCgroup> {
    let limits = limits(options)?;
    CGROUPS.get_or_init(|| Cgroups::find(Kernel::real())).create(limits)
}

/// Puts a process that was just started into its cgroup.
pub(crate) fn with(cgroup: HostCgroup, process: u32) -> Option<HostCgroup> {
    CGROUPS.get()?.fill(cgroup, process)
}

/// Describes in a sentence how hosts with guards are limited; `None` if there was no such host.
#[must_use]
pub fn describe_cgroups() -> Option<String> {
    CGROUPS.get().map(Cgroups::describe)
}

/// The limits of a host with guards. Others do not wait for a cgroup, which takes longer to enter than a process to start on some
/// kernels.
fn limits(options: &HostOptions) -> Option<Limits> {
    let is_guarded = options.sandbox.is_some() || options.step_timeout.is_some() || options.init_timeout.is_some();
    let memory = options.sandbox.as_ref().and_then(|sandbox| sandbox.memory);
    is_guarded.then_some(Limits { memory, threads: options.sandbox.is_some() })
}

impl Cgroups {
    fn find(kernel: Kernel) -> Self {
        let place = CgroupParent::find(&kernel);
        Self { kernel, place, failure: OnceLock::new() }
    }

    fn create(&self, limits: Limits) -> Option<HostCgroup> {
        let created = HostCgroup::create(&self.kernel, self.place.as_ref().ok()?, limits);
        let (cgroup, refused) = created.map_err(|obstacle| self.note(obstacle)).ok()?;
        refused.into_iter().for_each(|obstacle| self.note(obstacle));
        Some(cgroup)
    }

    fn fill(&self, cgroup: HostCgroup, process: u32) -> Option<HostCgroup> {
        let reason = match cgroup.take(process) {
            Ok(()) => return Some(cgroup),
            // It has ended.
            Err(reason) if Errno::from_io_error(&reason) == Some(Errno::SRCH) => return None,
            Err(reason) => reason,
        };
        let folder = self.place.as_ref().ok()?.folder.clone();
        self.note(Obstacle::Host { cgroup: folder, action: "move a host", reason });
        None
    }

    fn note(&self, obstacle: Obstacle) {
        self.failure.get_or_init(|| obstacle);
    }

    fn describe(&self) -> String {
        let place = match &self.place {
            Ok(place) => place,
            Err(obstacle) => return format!("Lotka limits FMUs with guards without cgroups: {obstacle}"),
        };
        let mut text = format!("Lotka limits FMUs with guards by cgroups in {}", place.folder.display());
        if !place.controllers.is_empty() {
            let _ = write!(text, ", controllers {}", place.controllers.join(", "));
        }
        for (controllers, obstacle) in &place.missing {
            let _ = write!(text, "; not {}: {obstacle}", controllers.join(", "));
        }
        if let Some(failure) = self.failure.get() {
            let _ = write!(text, "; {failure}");
        }
        text
    }
}
