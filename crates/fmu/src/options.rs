//! How FMUs are opened and instantiated.

use std::path::PathBuf;

use fmi2::description::Strictness;
use lotka_message::limits;

/// How an FMU is opened.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// What to do about rules of the standard that the model description breaks.
    pub strictness: Strictness,
    /// What an archive may at most contain.
    pub limits: Limits,
    /// Libraries to load into the global scope first, for FMUs that expect, say, an interpreter in the process: paths, or names without a slash,
    /// which the dynamic linker looks for.
    pub preload_global: Vec<PathBuf>,
}

/// What an archive may at most contain. Larger ones are refused before anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Number of entries.
    pub entries: usize,
    /// Unpacked size of all entries together \[byte\].
    pub total_size: u64,
    /// Unpacked size over packed size of an entry, for entries of more than [`Limits::UNRATED_SIZE`].
    pub ratio: u64,
    /// Size of `modelDescription.xml` \[byte\].
    pub description_size: u64,
}

impl Limits {
    /// Entries up to this unpacked size \[byte\] may have any ratio.
    pub const UNRATED_SIZE: u64 = limits::ARCHIVE_UNRATED_BYTES;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entries: limits::ARCHIVE_ENTRIES,
            total_size: limits::ARCHIVE_BYTES,
            ratio: limits::ARCHIVE_RATIO,
            description_size: limits::SYSTEM_BYTES,
        }
    }
}
