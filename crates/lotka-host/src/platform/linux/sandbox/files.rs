//! The files that can be opened: landlock.
//!
//! Everything not granted is denied: opening files, listing, creating, renaming and removing, at every level of landlock; TCP,
//! devices, signals and abstract sockets from the level on that supports them. Looking up names and sizes is not denied, because
//! landlock cannot prevent it.

use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, make_bitflags,
};
use rustix::fs::{Mode, OFlags, open};

use super::error::{Part, part};
use super::{Sandbox, SandboxError};

/// Paths that libraries read when they are loaded and run. Missing ones are skipped. No file can be executed as a program;
/// libraries only need to be read.
const READABLE: [&str; 40] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/ssl/openssl.cnf",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/proc/self/auxv",
    "/proc/self/cgroup",
    "/proc/self/cmdline",
    "/proc/self/limits",
    "/proc/self/maps",
    "/proc/self/stat",
    "/proc/self/statm",
    "/proc/self/status",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/ngroups_max",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/kernel/mm/transparent_hugepage",
];

/// Folders that they list: the threads and open files of the process. The folder of a thread has files about the network and the
/// mounts, too, and none of them can be opened.
const LISTABLE: [&str; 2] = ["/proc/self/task", "/proc/self/fd"];

/// Paths to which they write.
const WRITABLE: [&str; 2] = ["/dev/null", "/dev/full"];

/// Access to a file, or to a folder and its contents.
pub(super) struct Grant {
    place: OwnedFd,
    right: Right,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Right {
    List,
    Read,
    Write,
}

impl Grant {
    fn open(path: &Path, right: Right) -> rustix::io::Result<Self> {
        Ok(Self { place: open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?, right })
    }

    fn rights(&self, level: ABI) -> BitFlags<AccessFs> {
        match self.right {
            Right::List => AccessFs::ReadDir.into(),
            Right::Read => AccessFs::ReadFile | AccessFs::ReadDir,
            Right::Write => {
                let never = make_bitflags!(AccessFs::{Execute | MakeChar | MakeBlock | MakeSock | IoctlDev});
                AccessFs::from_all(level) & !never
            }
        }
    }
}

/// Returns everything that the FMU can open.
///
/// # Errors
/// A path that the user listed, or a folder of the FMU, cannot be opened.
pub(super) fn grants(sandbox: &Sandbox, folder: &Path, scratch: &Path) -> Result<Vec<Grant>, SandboxError> {
    let system = |paths: &[&str], right| -> Vec<Grant> {
        paths.iter().filter_map(|path| Grant::open(path.as_ref(), right).ok()).collect()
    };
    let mut grants = system(&READABLE, Right::Read);
    grants.extend(system(&LISTABLE, Right::List));
    grants.extend(system(&WRITABLE, Right::Write));
    grants.extend(Grant::open(&folder.join("resources"), Right::Write));
    for (path, right) in [(folder, Right::Read), (scratch, Right::Write)] {
        grants.push(Grant::open(path, right).map_err(part(Part::Folder))?);
    }
    for (list, paths, right) in [("read", &sandbox.read, Right::Read), ("write", &sandbox.write, Right::Write)] {
        for path in paths {
            let cannot = |error: rustix::io::Errno| SandboxError::Path { path: path.clone(), list, reason: error.to_string() };
            grants.push(Grant::open(path, right).map_err(cannot)?);
        }
    }
    Ok(grants)
}

/// Denies this thread, and all threads that it starts, everything not granted, as far as this level of landlock and the kernel
/// support it.
pub(super) fn lock(grants: Vec<Grant>, level: ABI) -> Result<(), SandboxError> {
    if level == ABI::Unsupported {
        return Err(SandboxError::NoLandlock { reason: "it has no landlock".to_owned() });
    }
    let rules = rules(&grants, level).map_err(part(Part::Files))?;
    let status = rules.restrict_self().map_err(part(Part::Files))?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(SandboxError::NoLandlock { reason: format!("landlock is {:?}", status.landlock) });
    }
    // Rules for entries of /proc apply only while the kernel keeps these in memory, which it does while they are open.
    std::mem::forget(grants);
    Ok(())
}

fn rules(grants: &[Grant], level: ABI) -> Result<RulesetCreated, RulesetError> {
    let mut rules = Ruleset::default().handle_access(AccessFs::from_all(level))?;
    if level >= ABI::V4 {
        rules = rules.handle_access(AccessNet::from_all(level))?;
    }
    if level >= ABI::V6 {
        rules = rules.scope(Scope::from_all(level))?;
    }
    let rules = rules.create()?;
    rules.add_rules(grants.iter().map(|grant| Ok(PathBeneath::new(&grant.place, grant.rights(level)))))
}
