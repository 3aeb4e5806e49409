//! The memory shared by parent and child.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use fmu::LAST_CALLS_WORDS;

use super::rows::ROWS_WORDS;
use crate::shared_memory::SharedMemory;

/// Distinguishes this memory from any other.
const MARK: u64 = u64::from_le_bytes(*b"LotkaSup");

/// Number of words before the calls: mark, process ID of the parent, end. The halves of the fifth word are the number of interrupts and whether the
/// child handles them. The rest fills the cache line.
const HEADER: usize = 8;

const PARENT: usize = 1;
const END: usize = 2;
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
    /// Creates the memory, and the descriptor through which the child maps it.
    pub(super) fn create() -> io::Result<(Self, OwnedFd)> {
        let (memory, descriptor) = SharedMemory::create(ROWS + ROWS_WORDS)?;
        memory.words()[PARENT].store(u64::from(std::process::id()), Ordering::Relaxed);
        memory.words()[0].store(MARK, Ordering::Release);
        Ok((Self(memory), descriptor))
    }

    /// Maps the memory of the parent, if the descriptor refers to one.
    pub(super) fn open(descriptor: impl AsFd) -> Option<Self> {
        let memory = SharedMemory::open(descriptor).ok()?;
        let words = memory.words();
        let is_it = words.len() > HEADER && words[0].load(Ordering::Acquire) == MARK;
        is_it.then_some(Self(memory))
    }

    /// The process ID of the parent.
    pub(super) fn parent(&self) -> u64 {
        self.0.words()[PARENT].load(Ordering::Relaxed)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn a_child_finds_the_memory_of_its_parent_and_no_other() {
        let (parent, descriptor) = Page::create().unwrap();
        let child = Page::open(&descriptor).unwrap();
        assert_eq!((child.parent(), child.calls().is_some()), (u64::from(std::process::id()), true));
        assert_eq!(parent.ended(), None);
        assert!(!parent.is_unreported());
        child.leave_unreported();
        assert!(parent.is_unreported() && parent.ended().is_none());
        child.end(16);
        assert!(parent.is_unreported() && parent.ended() == Some(16));
        assert!(Page::open(File::open("/dev/null").unwrap()).is_none());
        let (other, descriptor) = SharedMemory::create(ROWS + ROWS_WORDS).unwrap();
        assert!(Page::open(&descriptor).is_none());
        other.words()[0].store(MARK, Ordering::Relaxed);
        assert!(Page::open(&descriptor).is_some());
    }
}
