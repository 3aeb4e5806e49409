//! Layout of the shared memory, in words of 8 bytes unless halves are stated. The meaning of the first word never changes, so
//! that programs of different versions can recognize each other.

use std::ops::Range;

/// The value of the first half.
pub(super) const MAGIC: u32 = 0x4c4f_4b54;

/// The version, to be incremented with every change here or in the messages.
pub(super) const VERSION: u32 = 6;

/// Places of 4 bytes. Each side writes to its own cache lines.
pub(super) mod half {
    pub const MAGIC: usize = 0;
    /// The version of the master.
    pub const MASTER_VERSION: usize = 1;
    /// The version of the host, once it runs.
    pub const HOST_VERSION: usize = 2;
    /// Whether the host ends on request.
    pub const HOST_ENDS: usize = 3;
    /// The process ID of the master, with which the host ends.
    pub const MASTER_PROCESS: usize = 4;
    /// Number of turns passed on by the master, and its sleep flag.
    pub const MASTER_TURN: usize = 16;
    pub const MASTER_SLEEPS: usize = 17;
    /// Number of times that the host checks for a turn before it sleeps.
    pub const SPINS: usize = 18;
    /// Number of turns passed on by the host, and its sleep flag.
    pub const HOST_TURN: usize = 32;
    pub const HOST_SLEEPS: usize = 33;
}

/// The posted message: its kind, then its data. Master and host have separate ones.
pub(super) const MASTER_POST: usize = 24;
pub(super) const HOST_POST: usize = 32;

/// The phase of the instance after the last call.
pub(super) const PHASE: usize = 40;

/// Total number of words written to and read from the ring of log lines; and number of lost lines.
pub(super) const LOG_WRITTEN: usize = 48;
pub(super) const LOG_LOST: usize = 49;
pub(super) const LOG_READ: usize = 56;

/// System calls that the sandbox denied.
pub(crate) const DENIED_CALLS: Range<usize> = 64..80;

/// Numbers of a step, or bytes of a message.
pub(super) const PAYLOAD: Range<usize> = 128..128 + (1 << 17);

/// The ring of log lines.
pub(super) const LOG: Range<usize> = PAYLOAD.end..PAYLOAD.end + (1 << 15);

/// Size of the whole memory. Unused pages cost nothing.
pub(crate) const WORDS: usize = LOG.end;
