//! The cgroup that contains those of the hosts, and the controllers that it passes on.
//!
//! A cgroup with processes cannot pass on controllers (`memory` above all). If all processes in its own cgroup belong to this
//! program, it moves them to a leaf below. Processes of others stay where they are, and the hosts then have cgroups without these
//! controllers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rustix::io::Errno;

use super::kernel::{Kernel, processes, words, write};
use super::obstacle::Obstacle;

/// The names of cgroups of hosts begin like this, followed by the numbers of their master and of the host.
const HOST: &str = "lotka-host-";

/// The names of the leaves in which masters live begin like this, followed by the number of the process.
const MASTER: &str = "lotka-master-";

/// The controllers of use for hosts.
const WANTED: [&str; 3] = ["memory", "pids", "cpu"];

/// How often moving is repeated if other threads of this process start processes meanwhile.
const ROUNDS: usize = 3;

/// A cgroup in which this process can create others.
#[derive(Debug)]
pub(super) struct CgroupParent {
    pub folder: PathBuf,
    /// The controllers of cgroups in it.
    pub controllers: Vec<&'static str>,
    /// The controllers that they lack, and why.
    pub missing: Vec<(Vec<&'static str>, Obstacle)>,
}

impl CgroupParent {
    /// Finds the place, removes the empty cgroups of masters that are gone, and passes the controllers on.
    ///
    /// # Errors
    /// There is no such place.
    pub fn find(kernel: &Kernel) -> Result<Self, Obstacle> {
        let folder = without_leaf(own_cgroup(kernel)?);
        let probe = create_in(kernel, &folder).and_then(|probe| (kernel.remove)(&probe));
        probe.map_err(|reason| Obstacle::NotDelegated { cgroup: folder.clone(), reason })?;
        remove_leftovers(kernel, &folder);
        let (offered, enabled) = (words(&folder, "cgroup.controllers"), words(&folder, "cgroup.subtree_control"));
        let (offered, not_offered) = part(&WANTED, &offered);
        let (mut controllers, disabled) = part(&offered, &enabled);
        let mut missing = Vec::new();
        if !not_offered.is_empty() {
            missing.push((not_offered, Obstacle::NotOffered { cgroup: folder.clone() }));
        }
        if !disabled.is_empty() {
            match enable(kernel, &folder, &disabled) {
                Ok(()) => controllers.extend(disabled),
                Err(obstacle) => missing.push((disabled, obstacle)),
            }
        }
        Ok(Self { folder, controllers, missing })
    }

    pub fn has(&self, controller: &str) -> bool {
        self.controllers.contains(&controller)
    }
}

/// Creates a cgroup for a host in this folder.
pub(super) fn create_in(kernel: &Kernel, folder: &Path) -> io::Result<PathBuf> {
    static CREATED: AtomicUsize = AtomicUsize::new(0);
    loop {
        let cgroup = folder.join(format!("{HOST}{}-{}", process::id(), CREATED.fetch_add(1, Relaxed)));
        match (kernel.create)(&cgroup) {
            // An earlier process with the number of this one has left it.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|()| cgroup),
        }
    }
}

/// Those that a list has, and the others.
fn part(names: &[&'static str], list: &[String]) -> (Vec<&'static str>, Vec<&'static str>) {
    names.iter().partition(|name| list.iter().any(|there| there == *name))
}

/// The folder of the cgroup of this process.
fn own_cgroup(kernel: &Kernel) -> Result<PathBuf, Obstacle> {
    let read = |file| fs::read_to_string(kernel.proc.join("self").join(file)).unwrap_or_default();
    let cgroups = read("cgroup");
    let own = cgroups.lines().find_map(|line| line.strip_prefix("0::")).ok_or(Obstacle::NoVersion2)?;
    let mounts = read("mountinfo");
    let mut folders = mounts.lines().filter_map(|mount| folder(mount, Path::new(own)));
    folders.find(|folder| folder.is_dir()).ok_or_else(|| Obstacle::NotMounted { cgroup: own.into() })
}

/// The folder of a cgroup, if this line of `mountinfo` is about the file system that shows it.
fn folder(mount: &str, cgroup: &Path) -> Option<PathBuf> {
    let (place, system) = mount.split_once(" - ")?;
    if system.split(' ').next() != Some("cgroup2") {
        return None;
    }
    let mut fields = place.split(' ').skip(3);
    let (root, point) = (fields.next()?, fields.next()?);
    // Without a slash at its end, which `join` would leave there.
    Some(Path::new(point).join(cgroup.strip_prefix(root).ok()?).components().collect())
}

/// The cgroup around the leaf of a master, if it is one.
fn without_leaf(cgroup: PathBuf) -> PathBuf {
    let is_leaf = cgroup.file_name().is_some_and(|name| name.to_string_lossy().starts_with(MASTER));
    cgroup.parent().filter(|_| is_leaf).map(Path::to_owned).unwrap_or(cgroup)
}

/// Removes cgroups of masters that are gone. Where processes live on, the kernel refuses.
fn remove_leftovers(kernel: &Kernel, folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if master_of(&entry.file_name().to_string_lossy()).is_some_and(|master| !kernel.has_process(master)) {
            let _ = (kernel.remove)(&entry.path());
        }
    }
}

/// The number of the master in the name of a cgroup.
fn master_of(name: &str) -> Option<u32> {
    let host = name.strip_prefix(HOST).and_then(|rest| rest.split('-').next());
    host.or_else(|| name.strip_prefix(MASTER))?.parse().ok()
}

/// Passes controllers on to the cgroups in a folder.
fn enable(kernel: &Kernel, folder: &Path, controllers: &[&str]) -> Result<(), Obstacle> {
    let value = controllers.iter().map(|name| format!("+{name}")).collect::<Vec<_>>().join(" ");
    let not_enabled = |reason| Obstacle::NotEnabled { cgroup: folder.to_owned(), reason };
    // The root of all cgroups has no type, and may have processes.
    if !folder.join("cgroup.type").exists() {
        return write(folder, "cgroup.subtree_control", &value).map_err(not_enabled);
    }
    let mut result = Ok(());
    for _ in 0..ROUNDS {
        result = move_to_leaf(kernel, folder).and_then(|()| write(folder, "cgroup.subtree_control", &value).map_err(not_enabled));
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Moves the processes of a cgroup to a leaf, if they all belong to this program.
fn move_to_leaf(kernel: &Kernel, folder: &Path) -> Result<(), Obstacle> {
    let processes = processes(folder);
    if let Some(&process) = processes.iter().find(|process| !kernel.is_own(**process)) {
        return Err(Obstacle::Shared { cgroup: folder.to_owned(), process });
    }
    if processes.is_empty() {
        return Ok(());
    }
    let leaf = folder.join(format!("{MASTER}{}", process::id()));
    let failed = |reason| Obstacle::Host { cgroup: leaf.clone(), action: "move this program", reason };
    match (kernel.create)(&leaf) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
        _ => {}
    }
    for process in processes {
        match write(&leaf, "cgroup.procs", &process.to_string()) {
            // It has ended.
            Err(error) if Errno::from_io_error(&error) == Some(Errno::SRCH) => {}
            moved => moved.map_err(failed)?,
        }
    }
    Ok(())
}
