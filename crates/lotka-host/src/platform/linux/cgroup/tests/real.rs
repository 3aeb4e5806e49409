//! The same in real cgroups, as far as this process may create them.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

use super::*;

/// Where real cgroups can be created, if they have this controller; prints what is not tested.
fn with(controller: Option<&str>) -> Option<Cgroups> {
    let cgroups = Cgroups::find(Kernel::real());
    let is_there = cgroups.place.as_ref().is_ok_and(|place| controller.is_none_or(|controller| place.has(controller)));
    if !is_there {
        println!("no delegated cgroup with {} here: {}", controller.unwrap_or("processes"), cgroups.describe());
    }
    Some(cgroups).filter(|_| is_there)
}

/// A shell in a cgroup; the script begins when it is there.
fn shell(cgroups: &Cgroups, limits: Limits, script: &str) -> (HostCgroup, Child) {
    let cgroup = cgroups.create(limits).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("read line; {script}")]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let cgroup = cgroups.fill(cgroup, child.id()).unwrap_or_else(|| panic!("{}", cgroups.describe()));
    drop(child.stdin.take());
    (cgroup, child)
}

fn read(output: Option<ChildStdout>) -> String {
    let mut text = String::new();
    output.unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn no_process_outlives_a_real_cgroup() {
    let Some(cgroups) = with(None) else { return };
    let (cgroup, mut child) = shell(&cgroups, Limits::default(), "setsid sleep 1000 & setsid sleep 1000 & echo started; wait");
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut [0; 8]).unwrap();
    let folder = folder_of(&cgroups, &child);
    drop(cgroup);
    // The pipe ends with the last process that has it.
    assert_eq!(read(Some(output)), "");
    assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    assert!(!folder.exists());
}

/// The folder of the cgroup in which a process is.
fn folder_of(cgroups: &Cgroups, child: &Child) -> PathBuf {
    let text = fs::read_to_string(format!("/proc/{}/cgroup", child.id())).unwrap();
    let name = text.lines().find(|line| line.starts_with("0::")).unwrap().rsplit('/').next().unwrap();
    assert!(name.starts_with("lotka-host-"), "{text}");
    cgroups.place.as_ref().unwrap().folder.join(name)
}

#[test]
fn a_real_cgroup_counts_the_time_of_processes_that_have_ended() {
    let Some(cgroups) = with(None) else { return };
    let burn = "(i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done); echo $(cut -d' ' -f14 /proc/$$/stat); read line";
    let (cgroup, mut child) = shell(&cgroups, Limits::default(), burn);
    assert!(child.wait().unwrap().code().is_some());
    let ticks: u64 = read(child.stdout.take()).trim().parse().unwrap();
    let time = cgroup.cpu_time().unwrap();
    assert!(time > Duration::from_millis(ticks * 10 + 10), "{time:?}, and {ticks} ticks of the process itself");
}

#[test]
fn memory_of_a_real_cgroup_is_limited_for_all_its_processes_together() {
    let Some(cgroups) = with(Some("memory")) else { return };
    let limits = Limits { memory: Some(32 << 20), threads: false };
    // Each process for itself stays below the limit.
    let script = "for n in 1 2 3 4; do head -c 20000000 /dev/zero | (tail; sleep 1000) & done; wait";
    let (cgroup, mut child) = shell(&cgroups, limits, script);
    assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    assert_eq!(cgroup.exceeded_memory(), Some(32 << 20));
}

#[test]
fn a_flood_of_processes_in_a_real_cgroup_has_the_share_of_one() {
    let Some(cgroups) = with(Some("cpu")) else { return };
    let cores = thread::available_parallelism().unwrap().get();
    let n_processes = 10 * cores;
    let flood = format!("n=1; while [ $n -lt {n_processes} ]; do n=$((n+1)); while :; do :; done & done; while :; do :; done");
    let (many, flood) = shell(&cgroups, Limits::default(), &flood);
    let (one, alone) = shell(&cgroups, Limits::default(), "while :; do :; done");
    let both = || [&one, &many].map(|cgroup| cgroup.cpu_time().unwrap());
    let begin = both();
    let used = || [0, 1].map(|index| (both()[index] - begin[index]).as_secs_f64());
    while used()[0] < 0.5 {
        thread::yield_now();
    }
    let [one_used, many_used] = used();
    drop((one, many));
    for mut shell in [alone, flood] {
        shell.wait().unwrap();
    }
    let each = many_used / n_processes as f64;
    assert!(one_used > 3.0 * each, "{one_used} s alone, {each} s each of {n_processes}");
}

#[test]
fn processes_of_a_real_cgroup_are_limited() {
    let Some(cgroups) = with(Some("pids")) else { return };
    let script = "n=0; while [ $n -lt 1100 ]; do sleep 1000 & n=$((n+1)); done; echo all";
    let (cgroup, mut child) = shell(&cgroups, Limits { memory: None, threads: true }, script);
    let (output, folder) = (child.stdout.take(), folder_of(&cgroups, &child));
    child.wait().unwrap();
    let refused = kernel::number(&folder, "pids.events", "max");
    drop(cgroup);
    assert_eq!(read(output), "", "the shell gives up at the limit");
    assert!(refused.is_some_and(|count| count > 0), "{refused:?}");
}
