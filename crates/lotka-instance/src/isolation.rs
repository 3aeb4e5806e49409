//! Options that isolate a model, as plain data.

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

/// How an FMU is confined.
///
/// The FMU can read the files that a library needs to run (system folders, its own folder) and the paths in `read`. It can write
/// to its `resources`, to a temporary folder of its own and to the paths in `write`. It cannot start programs, use the network,
/// or access other processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sandbox {
    /// Address space of the process \[byte\]; 4 GiB by default, `None` for no limit.
    pub memory: Option<u64>,
    /// Processor time of the process, all threads together \[s\]; unlimited by default.
    pub cpu_time: Option<u64>,
    /// Additional files and folders that can be read.
    pub read: Vec<PathBuf>,
    /// Additional files and folders that can be read and written.
    pub write: Vec<PathBuf>,
    /// Whether a kernel without landlock or seccomp is accepted, with a warning, instead of refused.
    pub allow_weaker: bool,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self { memory: Some(4 << 30), cpu_time: None, read: Vec::new(), write: Vec::new(), allow_weaker: false }
    }
}

/// How FMUs are hosted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HostOptions {
    /// The host program. If absent, it is taken from the environment variable `LOTKA_FMU_HOST`; otherwise it is this program
    /// itself, if it calls `lotka_host::serve_if_host`; otherwise `lotka-fmu-host` beside this program.
    pub program: Option<PathBuf>,
    /// Time limit for loading, for instantiation, and for each call up to the end of initialization.
    pub init_timeout: Option<Duration>,
    /// Time limit for each later call.
    pub step_timeout: Option<Duration>,
    /// How the FMU is confined; unconfined if absent.
    pub sandbox: Option<Sandbox>,
    /// The working directory of the hosts; that of this process if absent.
    pub directory: Option<PathBuf>,
    /// Libraries to load into the global scope first, for FMUs that expect, for example, an interpreter in the process. Paths, or
    /// names without a slash, for which the dynamic linker searches.
    pub preload_global: Vec<PathBuf>,
    /// A folder in which contents of archives are kept for the next opening. It is not used if a sandbox permits writing to it.
    pub cache: Option<PathBuf>,
}
