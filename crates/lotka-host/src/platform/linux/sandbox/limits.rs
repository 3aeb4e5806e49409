//! Limits of memory, time and files, and privileges of the process.

use rustix::io::Result;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};

use super::Sandbox;

/// Maximum number of open files.
const OPEN_FILES: u64 = 1024;

/// Maximum length of each written file \[byte\].
const FILE_SIZE: u64 = 4 << 30;

/// Prevents core dumps. With 0, the program to which some systems pass them would still receive them; Linux treats 1 as
/// "not even that".
const CORE_SIZE: u64 = 1;

/// At its limit a process receives `SIGXCPU`; it is killed after this additional time \[s\].
const CPU_GRACE: u64 = 1;

/// Makes the superuser an ordinary user; a program that is started does not gain more rights than this one.
pub(super) fn drop_privileges() -> Result<()> {
    set_no_new_privs(true)?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
}

/// Sets the limits. Without privileges they cannot be raised again.
pub(super) fn set(sandbox: &Sandbox) -> Result<()> {
    lower(Resource::Core, CORE_SIZE, CORE_SIZE)?;
    lower(Resource::Nofile, OPEN_FILES, OPEN_FILES)?;
    lower(Resource::Fsize, FILE_SIZE, FILE_SIZE)?;
    if let Some(memory) = sandbox.memory {
        lower(Resource::As, memory, memory)?;
    }
    if let Some(time) = sandbox.cpu_time {
        lower(Resource::Cpu, time, time.saturating_add(CPU_GRACE))?;
    }
    Ok(())
}

/// Lowers a limit; one that is already lower is kept.
fn lower(resource: Resource, current: u64, maximum: u64) -> Result<()> {
    let now = getrlimit(resource);
    let at_most = |now: Option<u64>, limit: u64| Some(now.map_or(limit, |now| now.min(limit)));
    setrlimit(resource, Rlimit { current: at_most(now.current, current), maximum: at_most(now.maximum, maximum) })
}
