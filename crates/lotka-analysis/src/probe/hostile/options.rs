//! How an FMU is observed.

use std::path::PathBuf;
use std::time::Duration;

/// How an FMU is observed.
#[derive(Debug, Clone)]
pub struct HostileOptions {
    /// How long a call may take before it counts as one that does not return.
    pub time_limit: Duration,
    /// The program in which FMUs run, as in [`crate::probe::ProbeOptions`].
    pub host_program: Option<PathBuf>,
    /// A folder that nothing else uses, and in which `HOME` and `TMPDIR` of this process are. Files that appear or change there
    /// are those of the FMU.
    pub site: PathBuf,
}
