//! Options for opening and instantiating FMUs.

use std::path::PathBuf;

use fmi2::description::Strictness;
use lotka_message::limits;

/// Options for opening an FMU.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// How to handle rules of the standard that the model description breaks.
    pub strictness: Strictness,
    /// Limits of an archive.
    pub limits: Limits,
    /// Libraries to load into the global scope first, for FMUs that expect, for example, an interpreter in the process. Paths, or
    /// names without a slash, for which the dynamic linker searches.
    pub preload_global: Vec<PathBuf>,
    /// A folder in which contents of archives are kept, so that the same archive is opened faster next time
    /// ([`crate::user_cache`]). It must belong to the user and be closed to others (mode 0700), otherwise it is not used; without
    /// it, it is made. The cache has no influence on what is opened or refused.
    pub cache: Option<PathBuf>,
}

/// Limits of an archive. Larger archives are refused before any file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of entries.
    pub entries: usize,
    /// Maximum unpacked size of all entries together \[byte\].
    pub total_size: u64,
    /// Maximum ratio of unpacked to packed size of an entry, for entries larger than [`Limits::UNRATED_SIZE`].
    pub ratio: u64,
    /// Maximum size of `modelDescription.xml` \[byte\].
    pub description_size: u64,
}

impl Limits {
    /// Unpacked size \[byte\] up to which entries may have any ratio.
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
