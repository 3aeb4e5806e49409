//! A tree of plain files that stands for `/proc` and a file system of cgroups.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::super::host::{HostCgroup, Limits};
use super::super::kernel::Kernel;
use super::super::place::CgroupParent;

/// The number of the process under test.
pub(super) const OWN: u32 = 1_000_000;

/// The cgroup of this process is `/user/own` in a file system that shows all cgroups.
pub(crate) struct Tree {
    dir: TempDir,
}

impl Tree {
    /// The cgroup has these controllers, passes none on, and contains these processes.
    pub fn new(controllers: &str, processes: &[u32]) -> Self {
        let tree = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(tree.dir.path().join("proc/self")).unwrap();
        fs::create_dir_all(tree.base().parent().unwrap()).unwrap();
        create(&tree.base()).unwrap();
        tree.write("cgroup.controllers", controllers);
        tree.write("cgroup.procs", &processes.iter().map(|process| format!("{process}\n")).collect::<String>());
        tree.show(
            "0::/user/own\n",
            &["31 23 0:28 / / rw - tmpfs tmpfs rw", "32 31 0:29 / ROOT rw,relatime - cgroup2 cgroup2 rw"],
        );
        tree
    }

    /// What `/proc/self` says of cgroups and mounts; `ROOT` is the place of the file system.
    pub fn show(&self, cgroup: &str, mounts: &[&str]) {
        let proc = self.dir.path().join("proc/self");
        fs::write(proc.join("cgroup"), cgroup).unwrap();
        fs::write(proc.join("mountinfo"), mounts.join("\n").replace("ROOT", &self.root().display().to_string())).unwrap();
    }

    /// A process, and the one that started it.
    pub fn process(&self, process: u32, parent: u32) {
        let folder = self.dir.path().join(format!("proc/{process}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("stat"), format!("{process} (a ) 7 (b) S {parent} 1 1 0 -1\n")).unwrap();
    }

    pub fn root(&self) -> PathBuf {
        self.dir.path().join("cgroups")
    }

    pub fn base(&self) -> PathBuf {
        self.root().join("user/own")
    }

    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.base().join(file), text).unwrap();
    }

    pub fn text(&self, file: &str) -> String {
        fs::read_to_string(self.base().join(file)).unwrap()
    }

    pub(super) fn kernel(&self) -> Kernel {
        Kernel { proc: self.dir.path().join("proc"), own: vec![OWN], create, remove }
    }

    /// The cgroups in the one of this process.
    pub fn children(&self) -> Vec<String> {
        let entries = fs::read_dir(self.base()).unwrap().map(|entry| entry.unwrap());
        let folders = entries.filter(|entry| entry.path().is_dir());
        let mut names: Vec<_> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The cgroup of a host, and its folder.
    pub(super) fn host(&self, limits: Limits) -> (HostCgroup, PathBuf) {
        let kernel = self.kernel();
        let place = CgroupParent::find(&kernel).unwrap();
        let (before, (cgroup, refused)) = (self.children(), HostCgroup::create(&kernel, &place, limits).unwrap());
        assert!(refused.is_empty(), "{refused:?}");
        let mut new = self.children().into_iter().filter(|name| !before.contains(name));
        let folder = self.base().join(new.next().unwrap());
        (cgroup, folder)
    }

    /// The cgroup of a host that has used this processor time.
    pub fn having_used(&self, time: Duration) -> HostCgroup {
        let (cgroup, folder) = self.host(Limits::default());
        fs::write(folder.join("cpu.stat"), format!("usage_usec {}\nuser_usec 0\n", time.as_micros())).unwrap();
        cgroup
    }

    /// The cgroup of a host that has exceeded this limit of memory.
    pub fn exceeding(&self, bytes: u64) -> HostCgroup {
        let (cgroup, folder) = self.host(Limits { memory: Some(bytes), threads: false });
        fs::write(folder.join("memory.events"), "low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\noom_group_kill 1\n").unwrap();
        cgroup
    }
}

/// Creates a cgroup with its files, as the kernel does.
pub(super) fn create(cgroup: &Path) -> io::Result<()> {
    create_old(cgroup)?;
    fs::write(cgroup.join("cgroup.kill"), "")
}

/// As Linux before 5.14 does.
pub(super) fn create_old(cgroup: &Path) -> io::Result<()> {
    fs::create_dir(cgroup)?;
    let passed_on = fs::read_to_string(cgroup.with_file_name("cgroup.subtree_control")).unwrap_or_default();
    let mut files =
        vec!["cgroup.procs", "cgroup.type", "cgroup.controllers", "cgroup.subtree_control", "cgroup.freeze", "cpu.stat"];
    for (controller, its) in [
        ("memory", &["memory.max", "memory.swap.max", "memory.oom.group", "memory.events"][..]),
        ("pids", &["pids.max"]),
        ("cpu", &["cpu.weight"]),
    ] {
        files.extend(its.iter().filter(|_| passed_on.contains(controller)));
    }
    files.into_iter().try_for_each(|file| fs::write(cgroup.join(file), ""))
}

/// Removes a cgroup unless a process is in it that was not killed.
pub(super) fn remove(cgroup: &Path) -> io::Result<()> {
    let has = |file| fs::read_to_string(cgroup.join(file)).is_ok_and(|text| !text.is_empty());
    if has("cgroup.procs") && !has("cgroup.kill") {
        return Err(io::ErrorKind::ResourceBusy.into());
    }
    fs::remove_dir_all(cgroup)
}
