//! Flags that protect Lotka from FMUs.

use lotka::{Sandbox, System};

/// Guards for all instances; the system file can give them to each (`isolation`, `sandbox`, `step-timeout`, `init-timeout`).
#[derive(clap::Args, serde::Serialize, serde::Deserialize)]
pub(crate) struct Isolation {
    /// Run every instance in its own process.
    ///
    /// An FMU that crashes, calls exit or never returns becomes an error.
    #[arg(long, help_heading = "Isolation options")]
    isolate: bool,
    /// Confine every instance to its own files; no network, no other programs.
    ///
    /// This includes --isolate.
    #[arg(long, help_heading = "Isolation options")]
    sandbox: bool,
}

impl Isolation {
    /// Returns the system with these guards.
    pub(crate) fn apply(&self, system: System) -> System {
        let system = if self.isolate || self.sandbox { system.isolate(true) } else { system };
        if self.sandbox { system.sandbox(Sandbox::default()) } else { system }
    }
}
