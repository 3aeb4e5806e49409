//! How an FMU is probed.

use std::path::PathBuf;
use std::time::Duration;

use lotka_host::Sandbox;

/// How an FMU is probed.
#[derive(Debug, Clone)]
pub struct ProbeOptions {
    /// How long a call may take before it counts as one that does not return.
    pub time_limit: Duration,
    /// The program in which FMUs run; without it the environment variable `LOTKA_FMU_HOST`, then `lotka-fmu-host` beside this
    /// program.
    pub host_program: Option<PathBuf>,
    /// How the FMU is confined; unconfined if absent.
    pub sandbox: Option<Sandbox>,
}

impl Default for ProbeOptions {
    fn default() -> Self {
        Self { time_limit: Duration::from_secs(10), host_program: None, sandbox: None }
    }
}
