//! Memory shared by two processes.
//!
//! The other process may write anything at any time. Therefore the memory is accessed through atomics only, and no value read
//! from it is trusted. Its size is sealed: neither process can take pages away from the other one.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64};

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, ftruncate, memfd_create};

/// The seals that fix the size.
const SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW).union(SealFlags::SEAL);

/// Memory shared with another process; initially zero.
pub(crate) struct SharedMemory {
    map: MmapRaw,
}

impl SharedMemory {
    /// Creates memory of `words` words of 8 bytes, and the file descriptor through which the other process maps it. The
    /// descriptor is closed on exec: pass it as a standard stream.
    pub(crate) fn create(words: usize) -> io::Result<(Self, OwnedFd)> {
        let descriptor = memfd_create("lotka", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        ftruncate(&descriptor, 8 * words as u64)?;
        fcntl_add_seals(&descriptor, SEALS)?;
        Ok((Self::map(&descriptor)?, descriptor))
    }

    /// Maps memory that the other process created.
    ///
    /// # Errors
    /// The descriptor does not refer to such memory.
    pub(crate) fn open(descriptor: impl AsFd) -> io::Result<Self> {
        let is_sealed = fcntl_get_seals(&descriptor).is_ok_and(|seals| seals.contains(SEALS));
        if is_sealed { Self::map(descriptor) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "no shared memory")) }
    }

    fn map(descriptor: impl AsFd) -> io::Result<Self> {
        let file = File::from(descriptor.as_fd().try_clone_to_owned()?);
        Ok(Self { map: MmapOptions::new().map_raw(&file)? })
    }

    /// The whole memory, in words.
    #[inline]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the map begins at a page, keeps this length as long as `self` lives, and is accessed through atomics alone,
        // here and, as far as Rust is concerned, everywhere.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), self.map.len() / 8) }
    }

    /// The whole memory, in halves of words; use each place either as a word or as two halves.
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
