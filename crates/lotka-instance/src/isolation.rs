//! How a model is kept from doing harm, as plain data.

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

/// How an FMU is confined.
///
/// It can read what a library needs to run (system folders, its own folder) and the paths in `read`; it can write to its `resources`, to a
/// temporary folder of its own and to the paths in `write`. It cannot start programs, use the network, or reach other processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sandbox {
    /// Address space of the process \[byte\]; 4 GiB by default, `None`: no limit.
    pub memory: Option<u64>,
    /// Processor time of the process, all threads together \[s\]; no limit by default.
    pub cpu_time: Option<u64>,
    /// Further files and folders that can be read.
    pub read: Vec<PathBuf>,
    /// Further files and folders that can be read and written.
    pub write: Vec<PathBuf>,
    /// A kernel without landlock or seccomp is accepted, with a warning, instead of refused.
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
    /// The host program. Without it: the environment variable `LOTKA_FMU_HOST`, then this program itself, if it calls `lotka_host::serve_if_host`, then
    /// `lotka-fmu-host` beside this program.
    pub program: Option<PathBuf>,
    /// How long loading, instantiation and each call up to the end of initialization may take.
    pub init_timeout: Option<Duration>,
    /// How long each later call may take.
    pub step_timeout: Option<Duration>,
    /// How the FMU is confined; not at all if absent.
    pub sandbox: Option<Sandbox>,
    /// The working directory of the hosts; that of this process if absent.
    pub directory: Option<PathBuf>,
    /// Libraries to load into the global scope first, for FMUs that expect, say, an interpreter in the process: paths, or names without a slash,
    /// which the dynamic linker looks for.
    pub preload_global: Vec<PathBuf>,
}
