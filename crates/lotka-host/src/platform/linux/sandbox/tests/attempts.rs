//! Attempts of a confined process.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};

use libc::{c_int, c_long};

use super::Folders;

pub(super) struct Attempt {
    pub name: &'static str,
    pub run: fn(&Folders) -> io::Result<()>,
    /// The outcome in the sandbox.
    pub outcome: Outcome,
    /// Whether every user can do it without harm outside a sandbox.
    pub succeeds_freely: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Outcome {
    Works,
    /// A file is moved to another folder.
    Moves,
    /// Landlock refuses.
    NoAccess,
    /// Refused with this error, without a record.
    Fails(c_int),
    /// Refused, and this call is recorded.
    Denied(&'static str),
    /// This signal kills the process.
    Killed(c_int),
}
use Outcome::{Denied, Fails, Killed, Moves, NoAccess, Works};

const fn attempt(name: &'static str, run: fn(&Folders) -> io::Result<()>, outcome: Outcome) -> Attempt {
    Attempt { name, run, outcome, succeeds_freely: true }
}

/// An attempt that needs privileges, or does harm, outside the sandbox.
const fn confined(name: &'static str, run: fn(&Folders) -> io::Result<()>, outcome: Outcome) -> Attempt {
    Attempt { name, run, outcome, succeeds_freely: false }
}

/// Makes a system call.
fn call(number: c_long, arguments: [c_long; 5]) -> io::Result<()> {
    let [a, b, c, d, e] = arguments;
    // SAFETY: the calls below take numbers, null pointers, and pointers to memory that outlives the call.
    let result = unsafe { libc::syscall(number, a, b, c, d, e) };
    if result >= 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// A file in the folder of cgroups: of version 2 beside version 1, if there is one.
fn cgroups(file: &str) -> std::path::PathBuf {
    let both = std::path::Path::new("/sys/fs/cgroup/unified");
    (if both.exists() { both } else { std::path::Path::new("/sys/fs/cgroup") }).join(file)
}

fn parent() -> c_long {
    c_long::from(std::os::unix::process::parent_id() as i32)
}

/// A path as an argument; forgotten, not freed.
fn text(path: std::path::PathBuf) -> c_long {
    std::ffi::CString::new(path.into_os_string().into_encoded_bytes()).unwrap().into_raw() as c_long
}

fn open_and_cut_off(path: std::path::PathBuf) -> io::Result<()> {
    OpenOptions::new().read(true).custom_flags(libc::O_TRUNC).open(path).map(drop)
}

fn thread_id() -> i32 {
    rustix::thread::gettid().as_raw_nonzero().get()
}

const HERE: c_long = libc::AT_FDCWD as c_long;

pub(super) const ATTEMPTS: &[Attempt] = &[
    // Permitted actions.
    attempt("read the library", |p| fs::read(p.fmu("library.so")).map(drop), Works),
    attempt("read a resource", |p| fs::read(p.fmu("resources/table")).map(drop), Works),
    attempt("write a resource", |p| fs::write(p.fmu("resources/new"), "x"), Works),
    attempt("list resources", |p| fs::read_dir(p.fmu("resources")).map(drop), Works),
    attempt("read what is listed", |p| fs::read(p.home("readable/data")).map(drop), Works),
    attempt("write where it is listed", |p| fs::write(p.home("writable/new"), "x"), Works),
    attempt("make a temporary file", |_| tempfile::tempfile()?.write_all(b"x"), Works),
    attempt("make a folder", |p| fs::create_dir(p.fmu("scratch/folder")), Works),
    attempt("move", |p| fs::rename(p.fmu("resources/new"), p.fmu("scratch/moved")), Moves),
    attempt("shorten an open file", |p| OpenOptions::new().write(true).open(p.fmu("resources/table"))?.set_len(3), Works),
    attempt("read a system file", |_| fs::read("/proc/self/maps").and(fs::read_dir("/usr/lib")).map(drop), Works),
    attempt("list threads", |_| fs::read_dir("/proc/self/task").map(drop), Works),
    attempt("throw away", |_| fs::write("/dev/null", "x"), Works),
    attempt("run a thread", |_| std::thread::Builder::new().spawn(|| ())?.join().map_err(|_| io::ErrorKind::Other.into()), Works),
    attempt("allocate", |_| Vec::<u8>::new().try_reserve_exact(100 << 20).map_err(io::Error::other), Works),
    attempt("signal itself", |_| call(libc::SYS_kill, [std::process::id().into(), 0, 0, 0, 0]), Works),
    attempt("name itself", |_| call(libc::SYS_prctl, [libc::PR_SET_NAME.into(), c"x".as_ptr() as c_long, 0, 0, 0]), Works),
    // Files of others.
    attempt("read a file", |p| fs::read(p.home("secret")).map(drop), NoAccess),
    attempt(
        "read a file another way",
        |p| fs::read(format!("/proc/self/root{}", p.home("secret").display())).map(drop),
        NoAccess,
    ),
    attempt("read about connections", |_| fs::read("/proc/self/net/tcp").map(drop), NoAccess),
    attempt(
        "read about connections another way",
        |_| fs::read(format!("/proc/self/task/{}/net/tcp", thread_id())).map(drop),
        NoAccess,
    ),
    confined("leave its cgroup", |_| OpenOptions::new().append(true).open(cgroups("cgroup.procs")).map(drop), NoAccess),
    confined("create a cgroup", |_| fs::create_dir(cgroups("lotka-test")), NoAccess),
    attempt("list cgroups", |_| fs::read_dir(cgroups("")).map(drop), NoAccess),
    attempt("read about mounts", |_| fs::read("/proc/self/mountinfo").map(drop), NoAccess),
    attempt("read about mounts another way", |_| fs::read("/proc/thread-self/mountinfo").map(drop), NoAccess),
    attempt("read a file through a link", read_through_a_link, NoAccess),
    attempt("list a folder", |p| fs::read_dir(p.home("")).map(drop), NoAccess),
    attempt("make a file", |p| fs::write(p.home("new"), "x"), NoAccess),
    attempt("append to a file", |p| OpenOptions::new().append(true).open(p.home("secret")).map(drop), NoAccess),
    attempt("link a file", |p| fs::hard_link(p.home("secret"), p.fmu("scratch/link")), NoAccess),
    attempt("write the library", |p| OpenOptions::new().append(true).open(p.fmu("library.so")).map(drop), NoAccess),
    attempt("write what can be read", |p| fs::write(p.home("readable/new"), "x"), NoAccess),
    confined("remove a file", |p| fs::remove_file(p.home("secret")), NoAccess),
    confined("move a file", |p| fs::rename(p.home("secret"), p.fmu("scratch/stolen")), NoAccess),
    confined("cut a file off", |p| call(libc::SYS_truncate, [text(p.home("secret")), 0, 0, 0, 0]), Denied("truncate")),
    confined("open and cut off", |p| open_and_cut_off(p.fmu("library.so")), Denied("openat")),
    attempt("change a mode", |p| fs::set_permissions(p.home("secret"), fs::Permissions::from_mode(0o666)), Denied(CHMOD)),
    attempt("change a mode by way of fchmodat2", |p| call(452, [HERE, text(p.home("secret")), 0o600, 0, 0]), Denied("fchmodat2")),
    attempt("change times", |p| call(libc::SYS_utimensat, [HERE, text(p.home("secret")), 0, 0, 0]), Denied("utimensat")),
    attempt("watch a folder", |_| call(libc::SYS_inotify_init1, [0; 5]), Denied("inotify_init1")),
    confined("open by way of openat2", |_| call(libc::SYS_openat2, [0; 5]), Fails(libc::ENOSYS)),
    // Other processes.
    attempt("listen", |_| TcpListener::bind("127.0.0.1:0").map(drop), Denied("socket")),
    confined("connect", |_| TcpStream::connect("127.0.0.1:9").map(drop), Denied("socket")),
    attempt("send a packet", |_| UdpSocket::bind("127.0.0.1:0").map(drop), Denied("socket")),
    attempt("listen here", |p| UnixListener::bind(p.fmu("scratch/socket")).map(drop), Denied("socket")),
    attempt("pair sockets", |_| UnixStream::pair().map(drop), Denied("socketpair")),
    attempt(
        "ask for a signal to the parent",
        |_| call(libc::SYS_fcntl, [1, libc::F_SETOWN.into(), parent(), 0, 0]),
        Denied("fcntl"),
    ),
    attempt("ask after the parent", |_| call(libc::SYS_kill, [parent(), 0, 0, 0, 0]), Denied("kill")),
    attempt("ask after all", |_| call(libc::SYS_kill, [-1, 0, 0, 0, 0]), Denied("kill")),
    attempt("ask after the parent's thread", |_| call(libc::SYS_tgkill, [parent(), parent(), 0, 0, 0]), Denied("tgkill")),
    confined("kill the parent", |_| call(libc::SYS_kill, [parent(), libc::SIGKILL.into(), 0, 0, 0]), Denied("kill")),
    confined(
        "kill a thread of the parent",
        |_| call(libc::SYS_tkill, [parent(), libc::SIGKILL.into(), 0, 0, 0]),
        Denied("tkill"),
    ),
    attempt("see limits of the parent", |_| call(libc::SYS_prlimit64, [parent(), 0, 0, 0, 0]), Denied("prlimit64")),
    confined("trace the parent", |_| call(libc::SYS_ptrace, [libc::PTRACE_SEIZE.into(), parent(), 0, 0, 0]), Denied("ptrace")),
    confined("read the parent", |_| call(libc::SYS_process_vm_readv, [parent(), 0, 0, 0, 0]), Denied("process_vm_readv")),
    confined("open the parent's memory", |_| fs::File::open(format!("/proc/{}/mem", parent())).map(drop), NoAccess),
    attempt("read the parent's environment", |_| fs::read(format!("/proc/{}/environ", parent())).map(drop), NoAccess),
    confined("slow the parent down", |_| call(libc::SYS_setpriority, [0, parent(), 19, 0, 0]), Fails(libc::EPERM)),
    confined("move the parent", |_| call(libc::SYS_sched_setaffinity, [parent(), 0, 0, 0, 0]), Fails(libc::EPERM)),
    // Programs.
    confined("execute", |_| call(libc::SYS_execve, [c"/bin/true".as_ptr() as c_long, 0, 0, 0, 0]), Denied("execve")),
    confined("fork", |_| call(libc::SYS_clone, [libc::SIGCHLD.into(), 0, 0, 0, 0]), Denied("clone")),
    confined("make a namespace", |_| call(libc::SYS_unshare, [libc::CLONE_NEWUSER.into(), 0, 0, 0, 0]), Denied("unshare")),
    confined("make a thread with a namespace", |_| call(libc::SYS_clone, [THREAD_APART, 0, 0, 0, 0]), Denied("clone")),
    confined("fork by way of clone3", |_| call(libc::SYS_clone3, [0; 5]), Fails(libc::ENOSYS)),
    confined("start a program", |_| std::process::Command::new("/bin/true").status().map(drop), Killed(libc::SIGSYS)),
    // The kernel.
    attempt("hide memory", |_| call(libc::SYS_memfd_create, [c"x".as_ptr() as c_long, 0, 0, 0, 0]), Denied("memfd_create")),
    attempt("leave memory behind", |_| leave_memory(), Denied("shmget")),
    confined("mount", |_| call(libc::SYS_mount, [0; 5]), Denied("mount")),
    confined("trace the kernel", |_| call(libc::SYS_bpf, [0; 5]), Denied("bpf")),
    confined("queue calls", |_| call(libc::SYS_io_uring_setup, [0; 5]), Denied("io_uring_setup")),
    confined("read keys", |_| call(libc::SYS_keyctl, [0; 5]), Denied("keyctl")),
    attempt("change how it runs", |_| call(libc::SYS_personality, [0; 5]), Denied("personality")),
    attempt("outlive the master", |_| call(libc::SYS_prctl, [libc::PR_SET_PDEATHSIG.into(), 0, 0, 0, 0]), Denied("prctl")),
    confined("type into the terminal", |_| call(libc::SYS_ioctl, [0, libc::TIOCSTI as c_long, 0, 0, 0]), Denied("ioctl")),
    confined("install a filter", |_| call(libc::SYS_seccomp, [0; 5]), Denied("seccomp")),
    confined("call what is to come", |_| call(1000, [0; 5]), Fails(libc::ENOSYS)),
    confined("call through x32", |_| call(0x4000_0000 | libc::SYS_getpid, [0; 5]), Fails(libc::ENOSYS)),
    confined("allow itself more files", |_| more_files(), Fails(libc::EPERM)),
    confined("take back privileges", |_| rustix::process::chroot("/").map_err(io::Error::from), Denied("chroot")),
    // Resources.
    attempt(
        "allocate all",
        |_| Vec::<u8>::new().try_reserve_exact(2 << 30).map_err(|_| io::Error::from_raw_os_error(libc::ENOMEM)),
        Fails(libc::ENOMEM),
    ),
    confined("write a lot", |p| fs::File::create(p.fmu("scratch/large"))?.set_len(5 << 30), Killed(libc::SIGXFSZ)),
    confined("burn time", |_| burn(), Killed(libc::SIGXCPU)),
];

/// By which call the standard library changes a mode.
const CHMOD: &str = if cfg!(target_arch = "x86_64") { "chmod" } else { "fchmodat" };

const THREAD_APART: c_long = (libc::CLONE_THREAD | libc::CLONE_SIGHAND | libc::CLONE_VM | libc::CLONE_NEWNET) as c_long;

fn more_files() -> io::Result<()> {
    let limit = rustix::process::Rlimit { current: Some(2048), maximum: Some(2048) };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).map_err(io::Error::from)
}

fn burn() -> io::Result<()> {
    let mut number = 1_u64;
    loop {
        number = std::hint::black_box(number.wrapping_mul(3));
    }
}

/// Creates shared memory that would persist, and removes it.
fn leave_memory() -> io::Result<()> {
    // SAFETY: makes new memory and maps none.
    let memory = unsafe { libc::shmget(libc::IPC_PRIVATE, 4096, 0o600) };
    if memory < 0 {
        return Err(io::Error::last_os_error());
    }
    call(libc::SYS_shmctl, [memory.into(), libc::IPC_RMID.into(), 0, 0, 0])
}

fn read_through_a_link(folders: &Folders) -> io::Result<()> {
    let link = folders.fmu("resources/link");
    std::os::unix::fs::symlink(folders.home("secret"), &link)?;
    fs::read(link).map(drop)
}
