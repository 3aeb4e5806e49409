//! The denied system calls, grouped by their effect.

use libc::c_long;

/// A system call.
pub(super) struct Call {
    /// `SYS_` and its name.
    constant: &'static str,
    pub(super) number: c_long,
}

macro_rules! calls {
    ($($constant:ident)*) => { &[$(Call { constant: stringify!($constant), number: libc::$constant }),*] };
}

/// Denied whatever their arguments are.
pub(super) const ALWAYS: [&[Call]; 10] =
    [PROGRAMS, OTHER_PROCESSES, NETWORK, LASTING_MEMORY, FILES, RECENT, LOOKOUTS, NAMESPACES, KERNEL, OLD];

/// Denied only with certain arguments (see [`super::filter`]).
const WITH_SOME_ARGUMENTS: &[Call] = calls![
    SYS_clone SYS_kill SYS_tgkill SYS_rt_sigqueueinfo SYS_rt_tgsigqueueinfo SYS_prlimit64 SYS_prctl SYS_ioctl SYS_fcntl SYS_personality
    SYS_openat
];

/// The same, on x86-64 only.
#[cfg(target_arch = "x86_64")]
const OLD_WITH_SOME_ARGUMENTS: &[Call] = calls![SYS_open];
#[cfg(not(target_arch = "x86_64"))]
const OLD_WITH_SOME_ARGUMENTS: &[Call] = &[];

/// Starting programs.
const PROGRAMS: &[Call] = calls![SYS_execve SYS_execveat];

/// Access to other processes, or signals to them.
const OTHER_PROCESSES: &[Call] = calls![
    SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise SYS_process_mrelease SYS_kcmp SYS_pidfd_getfd
    SYS_pidfd_send_signal SYS_tkill
];

/// Communication with others, over the network or locally.
const NETWORK: &[Call] = calls![
    SYS_socket SYS_socketpair SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4 SYS_sendto SYS_sendmsg SYS_sendmmsg
    SYS_mq_open SYS_mq_unlink SYS_msgget SYS_msgsnd SYS_msgrcv SYS_msgctl
];

/// Memory that is not counted as that of the process, or that outlives it.
const LASTING_MEMORY: &[Call] =
    calls![SYS_memfd_create SYS_memfd_secret SYS_shmget SYS_shmat SYS_shmctl SYS_semget SYS_semop SYS_semtimedop SYS_semctl];

/// Changes to files that landlock does not cover, at all or before its third level: mode, owner, times, attributes, length by
/// name.
const FILES: &[Call] = calls![
    SYS_fchmod SYS_fchmodat SYS_fchown SYS_fchownat SYS_utimensat SYS_setxattr SYS_lsetxattr SYS_fsetxattr SYS_removexattr
    SYS_lremovexattr SYS_fremovexattr SYS_truncate SYS_open_by_handle_at SYS_quotactl SYS_quotactl_fd
];

/// Like the above; `libc` does not have the number for all processors.
const RECENT: &[Call] = &[Call { constant: "SYS_fchmodat2", number: 452 }];

/// Observation of folders that cannot be listed.
const LOOKOUTS: &[Call] = calls![SYS_inotify_init1 SYS_inotify_add_watch SYS_fanotify_init];

/// Changes of namespaces and mounts.
const NAMESPACES: &[Call] = calls![
    SYS_unshare SYS_setns SYS_chroot SYS_pivot_root SYS_mount SYS_umount2 SYS_open_tree SYS_move_mount SYS_fsopen SYS_fsconfig SYS_fsmount
    SYS_fspick SYS_mount_setattr
];

/// Parts of the kernel that an FMU does not need, and that attacks can use.
const KERNEL: &[Call] = calls![
    SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register SYS_bpf SYS_seccomp SYS_perf_event_open SYS_userfaultfd SYS_add_key
    SYS_request_key SYS_keyctl SYS_init_module SYS_finit_module SYS_delete_module SYS_kexec_load SYS_kexec_file_load SYS_reboot SYS_swapon
    SYS_swapoff SYS_acct SYS_syslog SYS_settimeofday SYS_clock_settime SYS_clock_adjtime SYS_adjtimex SYS_sethostname SYS_setdomainname
    SYS_vhangup SYS_lookup_dcookie SYS_nfsservctl
];

/// Calls of x86-64 that later processors lack.
#[cfg(target_arch = "x86_64")]
const OLD: &[Call] = calls![
    SYS_fork SYS_vfork SYS_chmod SYS_chown SYS_lchown SYS_utime SYS_utimes SYS_futimesat SYS_inotify_init SYS_uselib SYS_ustat SYS_sysfs
    SYS_modify_ldt SYS_iopl SYS_ioperm
];
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[Call] = &[];

fn all() -> impl Iterator<Item = &'static Call> {
    ALWAYS.into_iter().flatten().chain(WITH_SOME_ARGUMENTS).chain(OLD_WITH_SOME_ARGUMENTS)
}

/// Returns the name of a call that may be denied.
pub(super) fn name(number: usize) -> Option<&'static str> {
    let number = c_long::try_from(number).ok()?;
    all().find(|call| call.number == number)?.constant.strip_prefix("SYS_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_call_is_listed_once_and_has_its_name() {
        let all: Vec<_> = all().collect();
        assert_eq!(all.iter().map(|call| call.number).collect::<HashSet<_>>().len(), all.len());
        assert!(all.iter().all(|call| (0..512).contains(&call.number) && name(call.number as usize).is_some()));
        assert_eq!((name(libc::SYS_ptrace as usize), name(libc::SYS_read as usize)), (Some("ptrace"), None));
    }
}
