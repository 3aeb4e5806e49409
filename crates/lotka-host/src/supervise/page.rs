//! The memory shared by parent and child.

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use fmu::LAST_CALLS_WORDS;

use super::rows::ROWS_WORDS;
use crate::platform::SharedMemory;

/// Number of words before the calls. The first one is the end; the halves of the fifth are the number of interrupts and whether
/// the child handles them. The rest fills the cache line.
const HEADER: usize = 8;

const END: usize = 0;
const INTERRUPTS: usize = 8;
const LISTENS: usize = 9;

/// Index of the rows.
const ROWS: usize = HEADER + LAST_CALLS_WORDS;

/// Set in the word of the end, in addition to the code.
const ENDED: u64 = 1 << 32;

/// Set there if a message could not be written.
const UNTOLD: u64 = 1 << 33;

/// The shared memory, with named words.
pub(super) struct Page(SharedMemory);

impl Page {
    /// Creates the memory. A child that is split off this process has it, too.
    pub(super) fn create() -> io::Result<Self> {
        SharedMemory::create(ROWS + ROWS_WORDS).map(|(memory, _)| Self(memory))
    }

    /// Announces that the child is about to end with this code.
    pub(super) fn end(&self, code: u8) {
        self.0.words()[END].fetch_or(ENDED | u64::from(code), Ordering::Release);
    }

    /// Records that the child could not write a message.
    pub(super) fn leave_unreported(&self) {
        self.0.words()[END].fetch_or(UNTOLD, Ordering::Release);
    }

    /// Whether the child could not write a message.
    pub(super) fn is_unreported(&self) -> bool {
        self.0.words()[END].load(Ordering::Acquire) & UNTOLD != 0
    }

    /// The code with which the child was about to end.
    pub(super) fn ended(&self) -> Option<u8> {
        let end = self.0.words()[END].load(Ordering::Acquire);
        (end & ENDED != 0).then_some(end as u8)
    }

    /// Rows that were not yet written; empty if the memory is too short for them.
    pub(super) fn rows(&self) -> &[AtomicU64] {
        self.0.words().get(ROWS..).unwrap_or_default()
    }

    /// Number of interrupts of the command.
    pub(super) fn interrupts(&self) -> &AtomicU32 {
        &self.0.halves()[INTERRUPTS]
    }

    /// Whether the child handles interrupts.
    pub(super) fn listens(&self) -> &AtomicU32 {
        &self.0.halves()[LISTENS]
    }

    /// The calls into FMUs; `None` if the memory is too short for them.
    pub(super) fn calls(&self) -> Option<&[AtomicU64; LAST_CALLS_WORDS]> {
        self.0.words().get(HEADER..)?.first_chunk()
    }
}
