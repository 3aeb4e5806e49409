//! The flags that guard against FMUs.

use lotka::{Sandbox, System};

/// Guards for all instances; the system file can give them to each (`isolation`, `sandbox`, `step-timeout`, `init-timeout`).
#[derive(clap::Args, serde::Serialize, serde::Deserialize)]
pub(crate) struct Isolation {
    /// Run every instance in a process of its own: an FMU that crashes, calls exit or never returns becomes an error.
    #[arg(long)]
    isolate: bool,
    /// Confine every instance: no files but its own, no network, no other programs; includes --isolate.
    #[arg(long)]
    sandbox: bool,
}

impl Isolation {
    /// The system with these guards.
    pub(crate) fn apply(&self, system: System) -> System {
        let system = if self.isolate || self.sandbox { system.isolate(true) } else { system };
        if self.sandbox { system.sandbox(Sandbox::default()) } else { system }
    }
}
