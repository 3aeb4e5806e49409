//! Limits for third-party files: one place for all formats, each limit with its reason.
//!
//! The limits are far above what tools write, and far below what exhausts a machine. A file beyond a limit is rejected with a
//! message; it neither overflows the stack nor fills the memory.

/// Maximum depth of elements in `modelDescription.xml`. The standard has six levels; the others are for annotations.
pub const DESCRIPTION_DEPTH: usize = 64;

/// Maximum depth of elements in the XML of systems. A nested system takes two levels, and [`SYSTEM_DEPTH`] of them leave room for
/// their content.
pub const XML_DEPTH: usize = 256;

/// Maximum number of namespace prefixes declared at a time. Every element that declares one copies all of them.
pub const XML_PREFIXES: usize = 64;

/// Maximum number of attributes of an element, including declarations of prefixes. They are compared with each other.
pub const XML_ATTRIBUTES: usize = 256;

/// Maximum number of elements and texts in an XML file. All of them are in memory at once.
pub const XML_NODES: u32 = 10_000_000;

/// Maximum size of `modelDescription.xml` \[byte\]. It is read as a whole.
pub const DESCRIPTION_BYTES: usize = 256 << 20;

/// Maximum size of a file that describes a system or has values for one \[byte\], and of all files that a description refers to.
pub const SYSTEM_BYTES: u64 = 512 << 20;

/// Maximum depth of nested systems. Nobody draws more.
pub const SYSTEM_DEPTH: usize = 64;

/// Maximum number of components and systems in a system, after every reference is resolved. The instances of one run must fit
/// into a machine.
pub const SYSTEM_PARTS: usize = 20_000;

/// Maximum number of connectors, connections and values in a system, after every reference is resolved: 50 for each of
/// [`SYSTEM_PARTS`].
pub const SYSTEM_CONNECTIONS: usize = 1_000_000;

/// Maximum number of errors in a system whose references are being resolved. A part that is used many times repeats its errors.
pub const SYSTEM_ERRORS: usize = 1000;

/// Maximum number of values in a table: rows times columns. They take two gigabytes.
pub const TABLE_VALUES: usize = 1 << 28;

/// Maximum size of the texts of a table column \[byte\]. Formats that store equal texts once can expand a small file enormously.
pub const TABLE_TEXT_BYTES: usize = 1 << 31;

/// Maximum size of a table row as text \[byte\]. An unclosed quote turns the rest of the file into one row.
pub const ROW_BYTES: usize = 1 << 26;

/// Maximum length of a matrix name in a file of MATLAB's version 4. Those of trajectories have at most 11 letters.
pub const MATRIX_NAME: u32 = 64;

/// Maximum number of problems that are collected for one file. A file of another kind has one in every line.
pub const PROBLEMS: usize = 10_000;

/// Maximum number of entries in an archive. Each entry is examined before any is unpacked.
pub const ARCHIVE_ENTRIES: usize = 50_000;

/// Maximum unpacked size of an archive \[byte\]. It must fit on a disk.
pub const ARCHIVE_BYTES: u64 = 8 << 30;

/// Maximum ratio of unpacked to packed size of an entry. Archives that are made to fill disks have higher ratios.
pub const ARCHIVE_RATIO: u64 = 200;

/// Unpacked size up to which an entry of an archive may have any ratio \[byte\], because small files of zeros are common.
pub const ARCHIVE_UNRATED_BYTES: u64 = 16 << 20;

/// Size of all contents of archives that are kept together in the cache \[byte\]. It holds the FMUs of some projects.
pub const CACHE_BYTES: u64 = 4 << 30;
