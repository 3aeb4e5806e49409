//! What parent and child share.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use fmu::LAST_CALLS_WORDS;

use super::rows::ROWS_WORDS;
use crate::shared_memory::SharedMemory;

/// Tells this memory from any other.
const MARK: u64 = u64::from_le_bytes(*b"LotkaSup");

/// Words in front of the calls: mark, process of the parent, end; as halves of the fifth word the interrupts and whether the child listens
/// to them. The rest fills the cache line.
const HEADER: usize = 8;

const PARENT: usize = 1;
const END: usize = 2;
const INTERRUPTS: usize = 8;
const LISTENS: usize = 9;

/// Where the rows begin.
const ROWS: usize = HEADER + LAST_CALLS_WORDS;

/// Set in the word of the end, beside the code.
const ENDED: u64 = 1 << 32;

/// The same, once a message could not be written.
const UNTOLD: u64 = 1 << 33;

/// The shared memory with its words by name.
pub(super) struct Page(SharedMemory);

impl Page {
    /// New memory, and the descriptor by which the child comes by it.
    pub(super) fn create() -> io::Result<(Self, OwnedFd)> {
        let (memory, descriptor) = SharedMemory::create(ROWS + ROWS_WORDS)?;
        memory.words()[PARENT].store(u64::from(std::process::id()), Ordering::Relaxed);
        memory.words()[0].store(MARK, Ordering::Release);
        Ok((Self(memory), descriptor))
    }

    /// The memory of the parent, if the descriptor is one of it.
    pub(super) fn open(descriptor: impl AsFd) -> Option<Self> {
        let memory = SharedMemory::open(descriptor).ok()?;
        let words = memory.words();
        let is_it = words.len() > HEADER && words[0].load(Ordering::Acquire) == MARK;
        is_it.then_some(Self(memory))
    }

    /// The process of the parent.
    pub(super) fn parent(&self) -> u64 {
        self.0.words()[PARENT].load(Ordering::Relaxed)
    }

    /// The child is about to end with this code.
    pub(super) fn end(&self, code: u8) {
        self.0.words()[END].fetch_or(ENDED | u64::from(code), Ordering::Release);
    }

    /// The child could not write a message.
    pub(super) fn leave_untold(&self) {
        self.0.words()[END].fetch_or(UNTOLD, Ordering::Release);
    }

    /// Whether there is a message that the child could not write.
    pub(super) fn is_untold(&self) -> bool {
        self.0.words()[END].load(Ordering::Acquire) & UNTOLD != 0
    }

    /// The code with which the child was about to end.
    pub(super) fn ended(&self) -> Option<u8> {
        let end = self.0.words()[END].load(Ordering::Acquire);
        (end & ENDED != 0).then_some(end as u8)
    }

    /// Rows that were not written yet; empty if the memory is too short for them.
    pub(super) fn rows(&self) -> &[AtomicU64] {
        self.0.words().get(ROWS..).unwrap_or_default()
    }

    /// How often the command was interrupted.
    pub(super) fn interrupts(&self) -> &AtomicU32 {
        &self.0.halves()[INTERRUPTS]
    }

    /// Whether the child acts upon interrupts.
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
        assert!(!parent.is_untold());
        child.leave_untold();
        assert!(parent.is_untold() && parent.ended().is_none());
        child.end(16);
        assert!(parent.is_untold() && parent.ended() == Some(16));
        assert!(Page::open(File::open("/dev/null").unwrap()).is_none());
        let (other, descriptor) = SharedMemory::create(ROWS + ROWS_WORDS).unwrap();
        assert!(Page::open(&descriptor).is_none());
        other.words()[0].store(MARK, Ordering::Relaxed);
        assert!(Page::open(&descriptor).is_some());
    }
}
