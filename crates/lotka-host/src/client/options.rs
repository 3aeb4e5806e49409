//! How FMUs are hosted.

use std::path::PathBuf;
use std::time::Duration;

use crate::Sandbox;

/// How FMUs are hosted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HostOptions {
    /// The host program. Without it: the environment variable `LOTKA_FMU_HOST`, then this program itself, if it calls [`crate::serve_if_host`], then
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
