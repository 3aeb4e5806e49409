//! Where things are in the shared memory, counted in words of 8 bytes unless it says halves. The first word never changes its meaning, so that
//! programs of different versions can tell each other so.

use std::ops::Range;

/// What the first half is.
pub(super) const MAGIC: u32 = 0x4c4f_4b54;

/// Changes whenever anything here or in the messages does.
pub(super) const VERSION: u32 = 3;

/// Places of 4 bytes. Each side writes to lines of the cache of its own.
pub(super) mod half {
    pub const MAGIC: usize = 0;
    /// The version of the master.
    pub const MASTER_VERSION: usize = 1;
    /// The version of the host, once it runs.
    pub const HOST_VERSION: usize = 2;
    /// The host ends because it was told to.
    pub const HOST_ENDS: usize = 3;
    /// The process of the master, which the host does not outlive.
    pub const MASTER_PROCESS: usize = 4;
    /// Turns that the master has passed on, and whether it sleeps.
    pub const MASTER_TURN: usize = 16;
    pub const MASTER_SLEEPS: usize = 17;
    /// How often the host looks for a turn before it sleeps.
    pub const SPINS: usize = 18;
    /// Turns that the host has passed on, and whether it sleeps.
    pub const HOST_TURN: usize = 32;
    pub const HOST_SLEEPS: usize = 33;
}

/// What is posted: kind, then what belongs to it. Master and host each have their own.
pub(super) const MASTER_POST: usize = 24;
pub(super) const HOST_POST: usize = 32;

/// The phase of the instance after the last call.
pub(super) const PHASE: usize = 40;

/// Words written to and read from the ring of log lines, ever; and lines lost.
pub(super) const LOG_WRITTEN: usize = 48;
pub(super) const LOG_LOST: usize = 49;
pub(super) const LOG_READ: usize = 56;

/// System calls that the sandbox denied.
pub(crate) const DENIED_CALLS: Range<usize> = 64..80;

/// Numbers of a step, or bytes of a message.
pub(super) const PAYLOAD: Range<usize> = 128..128 + (1 << 17);

/// The ring of log lines.
pub(super) const LOG: Range<usize> = PAYLOAD.end..PAYLOAD.end + (1 << 15);

/// Size of the whole memory. Pages that nobody touches cost nothing.
pub(crate) const WORDS: usize = LOG.end;
