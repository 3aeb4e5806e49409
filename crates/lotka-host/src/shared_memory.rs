//! Memory that two processes see.
//!
//! The other process may write whatever it likes at any time, so the memory is only reached through atomics, and nothing that is read from it
//! is trusted. Its size is sealed: nobody can take pages away from the other one.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64};

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, ftruncate, memfd_create};

/// The seals that keep the size.
const SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW).union(SealFlags::SEAL);

/// Memory that this process shares with another one; zero at first.
pub(crate) struct SharedMemory {
    map: MmapRaw,
}

impl SharedMemory {
    /// Makes memory of `words` words of 8 bytes, and the file descriptor by which the other process comes by it. The descriptor is closed on exec:
    /// hand it over as a standard stream.
    pub(crate) fn create(words: usize) -> io::Result<(Self, OwnedFd)> {
        let descriptor = memfd_create("lotka", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        ftruncate(&descriptor, 8 * words as u64)?;
        fcntl_add_seals(&descriptor, SEALS)?;
        Ok((Self::map(&descriptor)?, descriptor))
    }

    /// Memory that the other process made.
    ///
    /// # Errors
    /// The descriptor is none of such memory.
    pub(crate) fn open(descriptor: impl AsFd) -> io::Result<Self> {
        let is_sealed = fcntl_get_seals(&descriptor).is_ok_and(|seals| seals.contains(SEALS));
        if is_sealed { Self::map(descriptor) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "no shared memory")) }
    }

    fn map(descriptor: impl AsFd) -> io::Result<Self> {
        let file = File::from(descriptor.as_fd().try_clone_to_owned()?);
        Ok(Self { map: MmapOptions::new().map_raw(&file)? })
    }

    /// All of it, in words.
    #[inline]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the map begins at a page, is as long as this as long as `self` lives, and is reached through atomics alone, here and, as far
        // as Rust is concerned, everywhere.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), self.map.len() / 8) }
    }

    /// All of it, in halves of words; each place is to be used either as a word or as two halves.
    #[inline]
    pub(crate) fn halves(&self) -> &[AtomicU32] {
        // SAFETY: as for words.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU32>(), self.map.len() / 4) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn both_sides_see_the_same_memory_and_its_size_stays() {
        let (here, descriptor) = SharedMemory::create(1000).unwrap();
        let there = SharedMemory::open(&descriptor).unwrap();
        here.words()[999].store(7, Relaxed);
        assert_eq!((there.words().len(), there.words()[999].load(Relaxed)), (1000, 7));
        assert_eq!(there.halves()[1998].load(Relaxed), 7);
        assert!(ftruncate(&descriptor, 8).is_err());
        assert!(SharedMemory::open(File::open("/dev/null").unwrap()).is_err());
    }
}
