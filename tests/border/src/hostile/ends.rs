//! Values for [`Hostile::reply`](super::Hostile::reply) beyond the FMI statuses; the same numbers as in `tests/hostile/ends.h`.

/// The process aborts.
pub const ABORT: i32 = 101;
/// The process dies from a segmentation fault.
pub const CRASH: i32 = 102;
/// The process exits with code 0.
pub const EXIT: i32 = 103;
/// The function never returns; it sleeps.
pub const HANG: i32 = 104;
/// The process exits with code 3.
pub const EXIT_3: i32 = 105;
/// The process exits with code 0 without running its exit handlers.
pub const QUIT: i32 = 106;
/// The function never returns; it computes.
pub const SPIN: i32 = 107;
/// The process is killed.
pub const KILL: i32 = 108;
/// The process gets a termination signal.
pub const TERMINATE: i32 = 109;
/// The process divides an integer by zero.
pub const DIVIDE: i32 = 110;
/// The process runs an illegal instruction.
pub const ILLEGAL: i32 = 111;
/// The process accesses memory beyond the end of a mapped file.
pub const BUS: i32 = 112;
/// The stack overflows.
pub const STACK: i32 = 113;
/// Memory is freed twice, which the allocator detects.
pub const DOUBLE_FREE: i32 = 114;
/// The heap is overwritten, which the allocator detects.
pub const SMASH: i32 = 115;
/// The calling thread ends.
pub const END_THREAD: i32 = 116;
/// The process becomes another program, which succeeds.
pub const EXECUTE: i32 = 117;
/// Another thread exits with code 0.
pub const EXIT_FROM_THREAD: i32 = 118;
/// The call succeeds, but leaves a heap that ends the process later.
pub const CORRUPT: i32 = 120;
/// The function never returns, and no other thread of the process runs any more.
pub const FREEZE: i32 = 121;
/// The function never returns; it computes, together with 150 threads.
pub const CROWD: i32 = 122;
/// The call waits at the gate, then succeeds.
pub(super) const GATE: i32 = 119;
