//! Cgroups in a tree of plain files, and real ones where this process may create them.

mod real;
mod tree;

use std::fs;
use std::io;
use std::path::Path;
use std::process::{self, Command};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use lotka_instance::Sandbox;

use super::*;
use tree::OWN;
pub(crate) use tree::Tree;

const ALL: &str = "cpuset cpu io memory pids";
const LIMITS: Limits = Limits { memory: Some(5_000_000), threads: true };

fn found(tree: &Tree) -> Cgroups {
    Cgroups::find(tree.kernel())
}

fn leaf() -> String {
    format!("lotka-master-{}", process::id())
}

#[test]
fn hosts_have_limits_where_all_processes_of_the_cgroup_belong_to_this_program() {
    let tree = Tree::new(ALL, &[OWN, OWN + 1, OWN + 2]);
    tree.process(OWN + 1, OWN);
    tree.process(OWN + 2, OWN + 1);
    let cgroups = found(&tree);
    assert_eq!(tree.text("cgroup.subtree_control"), "+memory +pids +cpu\n");
    assert_eq!(tree.text(&format!("{}/cgroup.procs", leaf())), format!("{OWN}\n{}\n{}\n", OWN + 1, OWN + 2));
    let cgroup = cgroups.create(LIMITS).unwrap();
    let name = tree.children().into_iter().find(|name| name.starts_with("lotka-host-")).unwrap();
    for (file, expected) in [("memory.max", "5000000"), ("memory.swap.max", "0"), ("memory.oom.group", "1"), ("pids.max", "1024")]
    {
        assert_eq!(tree.text(&format!("{name}/{file}")), format!("{expected}\n"), "{file}");
    }
    let cgroup = cgroups.fill(cgroup, 17).unwrap();
    assert_eq!(tree.text(&format!("{name}/cgroup.procs")), "17\n");
    drop(cgroup);
    assert_eq!(tree.children(), [leaf()], "it is removed with the host");
    let expected =
        format!("Lotka limits FMUs with guards by cgroups in {}, controllers memory, pids, cpu", tree.base().display());
    assert_eq!(cgroups.describe(), expected);
}

#[test]
fn processes_of_others_stay_where_they_are() {
    let tree = Tree::new(ALL, &[OWN, 4711]);
    tree.process(4711, 1);
    tree.process(1, 0);
    let cgroups = found(&tree);
    assert_eq!((tree.children(), tree.text("cgroup.subtree_control")), (Vec::new(), String::new()));
    let cgroup = cgroups.create(LIMITS).and_then(|cgroup| cgroups.fill(cgroup, 17)).unwrap();
    assert!(tree.children()[0].starts_with("lotka-host-") && cgroup.exceeded_memory().is_none());
    let base = tree.base().display().to_string();
    assert_eq!(
        cgroups.describe(),
        format!(
            "Lotka limits FMUs with guards by cgroups in {base}; not memory, pids, cpu: other programs are in the cgroup {base}, such as \
             process 4711"
        )
    );
}

#[test]
fn the_process_that_supervises_this_one_moves_with_it() {
    let tree = Tree::new(ALL, &[OWN - 1, OWN]);
    let cgroups = Cgroups::find(Kernel { own: vec![OWN, OWN - 1], ..tree.kernel() });
    assert!(cgroups.place.unwrap().missing.is_empty());
    assert_eq!(tree.text(&format!("{}/cgroup.procs", leaf())), format!("{}\n{OWN}\n", OWN - 1));
}

#[test]
fn controllers_that_are_passed_on_already_need_no_move() {
    let tree = Tree::new(ALL, &[OWN, 4711]);
    tree.write("cgroup.subtree_control", "cpu memory pids\n");
    assert!(found(&tree).place.unwrap().missing.is_empty());
    assert_eq!(tree.children(), Vec::<String>::new());
}

#[test]
fn a_master_in_a_leaf_has_its_hosts_beside_it() {
    let tree = Tree::new(ALL, &[]);
    tree::create(&tree.base().join("lotka-master-77")).unwrap();
    tree.process(77, 1);
    tree.show("0::/user/own/lotka-master-77\n", &["32 31 0:29 / ROOT rw - cgroup2 cgroup2 rw"]);
    let place = found(&tree).place.unwrap();
    assert_eq!((place.folder, place.missing.len()), (tree.base(), 0));
}

#[test]
fn the_root_of_all_cgroups_keeps_its_processes() {
    let tree = Tree::new(ALL, &[OWN, 4711]);
    fs::remove_file(tree.base().join("cgroup.type")).unwrap();
    assert!(found(&tree).place.unwrap().missing.is_empty());
    assert_eq!((tree.children(), tree.text("cgroup.subtree_control")), (Vec::new(), "+memory +pids +cpu\n".to_owned()));
}

#[test]
fn a_cgroup_that_is_not_delegated_is_named_with_the_reason() {
    let tree = Tree::new(ALL, &[OWN]);
    let cgroups = Cgroups::find(Kernel { create: |_| Err(io::ErrorKind::PermissionDenied.into()), ..tree.kernel() });
    assert!(cgroups.create(LIMITS).is_none());
    assert_eq!(
        cgroups.describe(),
        format!(
            "Lotka limits FMUs with guards without cgroups: the cgroup {} is not delegated to this user: permission denied",
            tree.base().display()
        )
    );
    fs::remove_dir_all(tree.base()).unwrap();
    fs::write(tree.base(), "").unwrap();
    assert!(found(&tree).describe().ends_with("without cgroups: no mounted file system shows the cgroup /user/own"));
}

#[test]
fn a_system_without_version_2_is_named() {
    let tree = Tree::new(ALL, &[OWN]);
    tree.show("4:memory:/user\n2:cpu,cpuacct:/\n1:name=systemd:/\n", &["35 31 0:32 / ROOT rw - cgroup cgroup rw,memory"]);
    assert!(found(&tree).describe().ends_with("without cgroups: this system has no cgroup v2"));
}

#[test]
fn version_2_beside_version_1_lacks_the_controllers_that_the_other_has() {
    let tree = Tree::new("hugetlb", &[OWN, 4711]);
    tree.show(
        "4:memory:/process\n2:cpuacct:/\n1:name=systemd:/\n0::/user/own\n",
        &["35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory", "41 31 0:38 / ROOT rw - cgroup2 cgroup2 rw"],
    );
    let cgroups = found(&tree);
    let cgroup = cgroups.create(LIMITS).and_then(|cgroup| cgroups.fill(cgroup, 17)).unwrap();
    let host = tree.base().join(&tree.children()[0]);
    fs::write(host.join("cpu.stat"), "usage_usec 1500000\nuser_usec 1000000\n").unwrap();
    assert_eq!(cgroup.cpu_time(), Some(Duration::from_millis(1500)));
    let base = tree.base().display().to_string();
    let text = cgroups.describe();
    assert!(text.ends_with(&format!("in {base}; not memory, pids, cpu: the cgroup {base} does not have them")), "{text}");
}

#[test]
fn some_controllers_are_better_than_none() {
    let tree = Tree::new("cpu hugetlb", &[OWN]);
    let cgroups = found(&tree);
    let _cgroup = cgroups.create(LIMITS).unwrap();
    assert_eq!(tree.text("cgroup.subtree_control"), "+cpu\n");
    let text = cgroups.describe();
    assert!(text.contains("controllers cpu; not memory, pids: ") && !text.contains("cannot"), "{text}");
}

#[test]
fn a_container_shows_its_cgroup_as_the_root() {
    let tree = Tree::new(ALL, &[OWN]);
    tree.show("0::/docker/abc/user/own\n", &["32 31 0:29 /docker/abc ROOT rw - cgroup2 cgroup rw"]);
    assert_eq!(found(&tree).place.unwrap().folder, tree.base());
    tree.show("0::/docker/other/user/own\n", &["32 31 0:29 /docker/abc ROOT rw - cgroup2 cgroup rw"]);
    assert!(found(&tree).describe().ends_with("no mounted file system shows the cgroup /docker/other/user/own"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let tree = Tree::new(ALL, &[OWN]);
    fs::remove_file(tree.base().join("cgroup.subtree_control")).unwrap();
    let text = found(&tree).describe();
    assert!(text.contains("; not memory, pids, cpu: ") && text.contains("does not pass them on: No such file"), "{text}");

    let tree = Tree::new(ALL, &[OWN]);
    let mut cgroups = found(&tree);
    cgroups.kernel.create = |path| tree::create(path).and_then(|()| fs::remove_file(path.join("memory.swap.max")));
    let cgroup = cgroups.create(LIMITS).unwrap();
    let text = cgroups.describe();
    assert!(text.contains("memory.swap.max: cannot set the limit: No such file"), "{text}");
    drop(cgroup);

    let mut cgroups = found(&tree);
    cgroups.kernel.create = |_| Err(io::ErrorKind::StorageFull.into());
    assert!(cgroups.create(LIMITS).is_none());
    assert!(cgroups.describe().ends_with("cannot create the cgroup of a host: no storage space"), "{}", cgroups.describe());
}

#[test]
fn a_host_that_cannot_enter_its_cgroup_stays_outside() {
    let tree = Tree::new(ALL, &[OWN]);
    let cgroups = found(&tree);
    let cgroup = cgroups.create(LIMITS).unwrap();
    let host = tree.base().join(tree.children().into_iter().find(|name| name.starts_with("lotka-host-")).unwrap());
    fs::remove_file(host.join("cgroup.procs")).unwrap();
    assert!(cgroups.fill(cgroup, 17).is_none());
    assert_eq!(tree.children(), [leaf()]);
    assert!(cgroups.describe().contains("cannot move a host: No such file"), "{}", cgroups.describe());
}

#[test]
fn only_kills_for_memory_count() {
    let tree = Tree::new(ALL, &[OWN]);
    assert_eq!(tree.exceeding(7000).exceeded_memory(), Some(7000));
    let (cgroup, folder) = tree.host(LIMITS);
    for events in ["", "max 9\noom 1\noom_kill 0\n", "oom_killer 3\n"] {
        fs::write(folder.join("memory.events"), events).unwrap();
        assert_eq!(cgroup.exceeded_memory(), None, "{events}");
    }
    let (unlimited, folder) = tree.host(Limits::default());
    fs::write(folder.join("memory.events"), "oom_kill 1\n").unwrap();
    assert_eq!(unlimited.exceeded_memory(), None, "memory was short for other reasons");
}

#[test]
fn kernels_that_cannot_kill_a_cgroup_kill_its_processes() {
    let tree = Tree::new(ALL, &[OWN]);
    let mut cgroups = found(&tree);
    cgroups.kernel.create = tree::create_old;
    let cgroup = cgroups.create(LIMITS).unwrap();
    let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
    let cgroup = cgroups.fill(cgroup, child.id()).unwrap();
    cgroup.kill();
    use std::os::unix::process::ExitStatusExt;
    assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    let host = tree.base().join(tree.children().into_iter().find(|name| name.starts_with("lotka-host-")).unwrap());
    assert_eq!(fs::read_to_string(host.join("cgroup.freeze")).unwrap(), "1\n");
    // As after the end of the process.
    fs::write(host.join("cgroup.procs"), "").unwrap();
}

#[test]
fn removal_waits_for_the_end_of_processes_but_not_forever() {
    static BUSY: AtomicUsize = AtomicUsize::new(0);
    fn busy(path: &Path) -> io::Result<()> {
        let is_busy = BUSY.fetch_update(Relaxed, Relaxed, |count| count.checked_sub(1)).is_ok();
        if is_busy { Err(io::ErrorKind::ResourceBusy.into()) } else { fs::remove_dir_all(path) }
    }
    let tree = Tree::new(ALL, &[OWN]);
    let mut cgroups = found(&tree);
    cgroups.kernel.remove = busy;
    for (count, left) in [(3, 0), (usize::MAX, 1)] {
        let cgroup = cgroups.create(LIMITS).unwrap();
        BUSY.store(count, Relaxed);
        drop(cgroup);
        assert_eq!(tree.children().len() - 1, left, "{count}");
    }
}

#[test]
fn cgroups_of_masters_that_are_gone_are_removed() {
    let tree = Tree::new(ALL, &[OWN]);
    tree.process(77, 1);
    let kept = ["lotka-host-77-1", "lotka-host-78-2", "lotka-host-x-1", "lotka-master-77", "lotka-other-78", "other"];
    for name in kept.into_iter().chain(["lotka-host-78-1", "lotka-master-78"]) {
        tree::create(&tree.base().join(name)).unwrap();
    }
    // A process that has survived its master.
    tree.write("lotka-host-78-2/cgroup.procs", "79\n");
    tree.write("cgroup.procs", "");
    assert!(found(&tree).place.is_ok());
    assert_eq!(tree.children(), kept);
}

#[test]
fn hosts_without_guards_have_no_cgroup() {
    assert!(limits(&HostOptions::default()).is_none());
    let timed = HostOptions { step_timeout: Some(Duration::from_secs(1)), ..HostOptions::default() };
    assert!(limits(&timed).is_some_and(|limits| limits.memory.is_none() && !limits.threads));
    let confined = HostOptions { sandbox: Some(Sandbox::default()), ..HostOptions::default() };
    assert!(limits(&confined).is_some_and(|limits| limits.memory == Some(4 << 30) && limits.threads));
}
