//! Flags about the files and processes of FMUs.

use lotka::{Sandbox, System, user_cache};

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
    /// Unpack every FMU.
    ///
    /// Lotka keeps contents of FMUs in the user's cache folder (`lotka/fmus` below `$XDG_CACHE_HOME`, by default `~/.cache`), and
    /// checks them at each use. They have no influence on the results.
    #[arg(long)]
    #[serde(default)]
    no_cache: bool,
    /// Ignore what `lotka check --run` has measured of the FMUs.
    ///
    /// The rows are the same. Lotka then tries steps that an FMU is known to refuse, and gives no warnings that only a test run
    /// makes possible.
    #[arg(long)]
    #[serde(default)]
    no_behavior_record: bool,
}

impl Isolation {
    /// Returns the system with these guards, and with the cache.
    pub(crate) fn apply(&self, system: System) -> System {
        let system = if self.isolate || self.sandbox { system.isolate(true) } else { system };
        let system = if self.sandbox { system.sandbox(Sandbox::default()) } else { system };
        let system = system.behavior_records(!self.no_behavior_record);
        match user_cache().filter(|_| !self.no_cache) {
            Some(folder) => system.cache(folder),
            None => system,
        }
    }
}
