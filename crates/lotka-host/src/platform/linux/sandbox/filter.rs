//! The permitted system calls: seccomp filters.
//!
//! A denied call fails with `EPERM`. There are four filters with different answers, of which the most severe counts:
//!
//! | filter | calls | answer |
//! |---|---|---|
//! | `denied` | those of [`calls`](super::calls) | `SIGSYS`, whose handler records them |
//! | `quiet` | scheduling of other processes, which libraries try while they block signals | `EPERM` |
//! | `absent` | those with arguments in memory, which no filter can check, and with an older form | `ENOSYS` |
//! | `unknown` | those that are newer than this list, and those of the x32 interface | `ENOSYS` |
//!
//! Calls of other architectures kill the process.

use std::collections::BTreeMap;

use libc::{c_int, c_long};
use seccompiler::{
    BackendError, BpfProgram, Error, SeccompAction,
    SeccompCmpArgLen::Dword,
    SeccompCmpOp,
    SeccompCmpOp::{Eq, MaskedEq, Ne},
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

use super::SandboxError;
use super::calls::ALWAYS;
use super::error::{Part, part};

/// System calls, with the arguments that match; without rules, all arguments match.
type Rules = BTreeMap<c_long, Vec<SeccompRule>>;
type Built<T> = Result<T, BackendError>;

/// The first number that is newer than the list of calls. Numbers of new calls are the same for all architectures.
const FIRST_UNKNOWN: u32 = libc::SYS_mseal as u32 + 1;

/// Filters the system calls of this thread and of all that it starts.
pub(super) fn lock() -> Result<(), SandboxError> {
    let filters = filters(std::process::id()).map_err(part(Part::Calls))?;
    for filter in filters {
        apply_filter(&filter).map_err(|error| match error {
            Error::Seccomp(cause) if matches!(cause.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL)) => {
                SandboxError::NoSeccomp { reason: cause.to_string() }
            }
            error => part(Part::Calls)(error),
        })?;
    }
    Ok(())
}

/// Returns all filters for the process `own`. The last one denies the installation of another one.
fn filters(own: u32) -> Built<[BpfProgram; 4]> {
    let absent = [libc::SYS_clone3, libc::SYS_openat2].map(|call| (call, Vec::new())).into();
    Ok([
        unknown(),
        program(absent, SeccompAction::Errno(libc::ENOSYS as u32))?,
        program(scheduling_of_others(own)?, SeccompAction::Errno(libc::EPERM as u32))?,
        program(denied(own)?, SeccompAction::Trap)?,
    ])
}

fn program(rules: Rules, action: SeccompAction) -> Built<BpfProgram> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, action, architecture)?.try_into()
}

/// Treats numbers from [`FIRST_UNKNOWN`] on as missing.
fn unknown() -> BpfProgram {
    let instruction = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    vec![
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0), // the number is the first word of the data
        instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, FIRST_UNKNOWN),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, SeccompAction::Errno(libc::ENOSYS as u32).into()),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, SeccompAction::Allow.into()),
    ]
}

/// A 32-bit argument of a call. All arguments that are checked have 32 bits: the kernel ignores the rest.
fn argument(index: u8, compare: SeccompCmpOp, value: u64) -> Built<SeccompCondition> {
    SeccompCondition::new(index, Dword, compare, value)
}

/// The argument is one of these bits or values.
fn is(index: u8, compare: SeccompCmpOp, value: u64) -> Built<SeccompRule> {
    SeccompRule::new(vec![argument(index, compare, value)?])
}

/// The argument is none of these values.
fn is_none_of(index: u8, values: &[u64]) -> Built<SeccompRule> {
    SeccompRule::new(values.iter().map(|value| argument(index, Ne, *value)).collect::<Built<_>>()?)
}

/// The argument has one of these bits.
fn has_any_of(index: u8, bits: &[c_int]) -> Built<Vec<SeccompRule>> {
    bits.iter().map(|bit| is(index, MaskedEq(*bit as u64), *bit as u64)).collect()
}

/// The calls that are answered with `SIGSYS`.
fn denied(own: u32) -> Built<Rules> {
    let mut rules: Rules = ALWAYS.into_iter().flatten().map(|call| (call.number, Vec::new())).collect();
    let own = u64::from(own);
    for call in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
        rules.insert(call, vec![is(0, Ne, own)?]);
    }
    rules.insert(libc::SYS_clone, new_processes()?);
    rules.insert(libc::SYS_prlimit64, vec![is_none_of(0, &[0, own])?]);
    rules.insert(libc::SYS_prctl, vec![is_none_of(0, &HARMLESS_CONTROLS.map(|control| control as u64))?]);
    rules.insert(libc::SYS_ioctl, vec![is_none_of(1, &HARMLESS_REQUESTS)?]);
    rules.insert(libc::SYS_fcntl, FILE_COMMANDS.iter().map(|command| is(1, Eq, *command as u64)).collect::<Built<_>>()?);
    rules.insert(libc::SYS_personality, vec![is(0, Ne, u64::from(u32::MAX))?]); // the query of the present one
    rules.insert(libc::SYS_openat, truncation(2)?);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, truncation(1)?);
    Ok(rules)
}

/// `clone` that creates no thread of this process, or one with namespaces of its own.
fn new_processes() -> Built<Vec<SeccompRule>> {
    let mut rules = vec![is(0, MaskedEq(libc::CLONE_THREAD as u64), 0)?];
    rules.extend(has_any_of(
        0,
        &[
            libc::CLONE_NEWNS,
            libc::CLONE_NEWCGROUP,
            libc::CLONE_NEWUTS,
            libc::CLONE_NEWIPC,
            libc::CLONE_NEWUSER,
            libc::CLONE_NEWPID,
            libc::CLONE_NEWNET,
        ],
    )?);
    Ok(rules)
}

/// Opening a file with truncation but without write access, which landlock covers from its third level on only. Both read access
/// and access mode 3 (neither read nor write) can do it.
fn truncation(flags: u8) -> Built<Vec<SeccompRule>> {
    let mask = (libc::O_TRUNC | libc::O_ACCMODE) as u64;
    let modes = [libc::O_RDONLY, libc::O_ACCMODE];
    modes.into_iter().map(|mode| is(flags, MaskedEq(mask), (libc::O_TRUNC | mode) as u64)).collect()
}

/// `prctl`: names of threads and of memory, queries, and calls that only remove rights. Not included: the signal at the end of
/// the master, memory that others can read, further filters.
const HARMLESS_CONTROLS: [c_int; 15] = [
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_VMA,
    libc::PR_SET_TIMERSLACK,
    libc::PR_GET_TIMERSLACK,
    libc::PR_GET_DUMPABLE,
    libc::PR_GET_PDEATHSIG,
    libc::PR_GET_SECCOMP,
    libc::PR_GET_TID_ADDRESS,
    libc::PR_SET_THP_DISABLE,
    libc::PR_GET_THP_DISABLE,
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_CAPBSET_READ,
    libc::PR_GET_TSC,
];

/// `TCGETS2`, with which recent C libraries check whether a file is a terminal; `libc` does not have it for all of them.
const TCGETS2: u64 = 0x802c_542a;

/// `ioctl`: whether a file is a terminal and its size, how much can be read, blocking, closing on exec.
const HARMLESS_REQUESTS: [u64; 7] =
    [libc::TCGETS, TCGETS2, libc::TIOCGWINSZ, libc::FIONREAD, libc::FIONBIO, libc::FIOCLEX, libc::FIONCLEX];

/// `F_SETSIG` and `F_SETOWN_EX`, which `libc` has for some C libraries only.
const F_SETSIG: c_int = 10;
const F_SETOWN_EX: c_int = 15;

/// Denied commands of `fcntl`: signals to others, leases that block others, observation of folders.
const FILE_COMMANDS: [c_int; 5] = [libc::F_SETOWN, F_SETSIG, F_SETOWN_EX, libc::F_SETLEASE, libc::F_NOTIFY];

/// Priorities, processors and memory of other processes. A thread can change its own scheduling only: the filter cannot see to
/// which process a thread belongs.
fn scheduling_of_others(own: u32) -> Built<Rules> {
    let own = u64::from(own);
    let mut rules = Rules::new();
    for call in [
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
        libc::SYS_move_pages,
        libc::SYS_migrate_pages,
    ] {
        rules.insert(call, vec![is_none_of(0, &[0, own])?]);
    }
    let (process, io_process): (u64, u64) = (libc::PRIO_PROCESS as u64, 1);
    for (call, kind) in [(libc::SYS_setpriority, process), (libc::SYS_ioprio_set, io_process)] {
        rules.insert(call, vec![is(0, Ne, kind)?, is_none_of(1, &[0, own])?]);
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the answer of a filter to a call with these arguments. Implements only the instructions used by these filters.
    fn answer(program: &[sock_filter], call: c_long, arguments: [u64; 6]) -> u32 {
        let mut data = [0u32; 16];
        data[0] = call as u32;
        data[1] = if cfg!(target_arch = "x86_64") { 0xc000_003e } else { 0xc000_00b7 };
        for (index, argument) in arguments.into_iter().enumerate() {
            (data[4 + 2 * index], data[5 + 2 * index]) = (argument as u32, (argument >> 32) as u32);
        }
        let (mut at, mut value) = (0, 0);
        loop {
            let instruction = &program[at];
            let (code, k) = (u32::from(instruction.code), instruction.k);
            let jump = |holds: bool| 1 + usize::from(if holds { instruction.jt } else { instruction.jf });
            at += match code & 7 {
                libc::BPF_RET => return k,
                libc::BPF_LD => {
                    value = data[k as usize / 4];
                    1
                }
                libc::BPF_ALU if code & 0xf0 == libc::BPF_AND => {
                    value &= k;
                    1
                }
                libc::BPF_JMP => match code & 0xf0 {
                    libc::BPF_JA => 1 + k as usize,
                    libc::BPF_JEQ => jump(value == k),
                    libc::BPF_JGT => jump(value > k),
                    libc::BPF_JGE => jump(value >= k),
                    other => panic!("jump {other:#x}"),
                },
                _ => panic!("instruction {code:#x}"),
            };
        }
    }

    /// Whether all filters permit a call.
    fn passes(call: c_long, arguments: [u64; 6]) -> bool {
        let allow = u32::from(SeccompAction::Allow);
        filters(42).unwrap().iter().all(|program| answer(program, call, arguments) == allow)
    }

    #[test]
    fn a_file_is_cut_off_only_by_who_may_write_to_it() {
        let open = |flags: c_int| passes(libc::SYS_openat, [0, 0, flags as u64, 0, 0, 0]);
        for mode in [libc::O_RDONLY, libc::O_ACCMODE] {
            assert!(open(mode) && open(mode | libc::O_CLOEXEC), "{mode}");
            assert!(!open(mode | libc::O_TRUNC) && !open(mode | libc::O_TRUNC | libc::O_CREAT | libc::O_CLOEXEC), "{mode}");
        }
        for mode in [libc::O_WRONLY, libc::O_RDWR] {
            assert!(open(mode | libc::O_TRUNC | libc::O_CREAT), "{mode}");
        }
        #[cfg(target_arch = "x86_64")]
        for (mode, may) in [(libc::O_RDONLY, false), (libc::O_WRONLY, true), (libc::O_RDWR, true), (libc::O_ACCMODE, false)] {
            assert_eq!(passes(libc::SYS_open, [0, (mode | libc::O_TRUNC) as u64, 0, 0, 0, 0]), may, "{mode}");
        }
    }

    #[test]
    fn signals_reach_the_own_process_only() {
        assert!(passes(libc::SYS_kill, [42, 9, 0, 0, 0, 0]) && !passes(libc::SYS_kill, [43, 9, 0, 0, 0, 0]));
        assert!(
            passes(libc::SYS_read, [0; 6]) && !passes(libc::SYS_socket, [0; 6]) && !passes(c_long::from(FIRST_UNKNOWN), [0; 6])
        );
    }
}
