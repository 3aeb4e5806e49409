//! What files of others may at most contain: one place for every format, each limit with its reason.
//!
//! The limits are far above what tools write, and far below what exhausts a machine. A file beyond one of them is refused with a message; it
//! neither overflows the stack nor fills the memory.

/// Depth of elements in `modelDescription.xml`. The standard has six levels; the others are for annotations.
pub const DESCRIPTION_DEPTH: usize = 64;

/// Depth of elements in the XML of systems. A system in a system takes two levels, and [`SYSTEM_DEPTH`] of them leave room for what is inside.
pub const XML_DEPTH: usize = 256;

/// Prefixes of namespaces that are declared at a time. Every element that declares one has a copy of all.
pub const XML_PREFIXES: usize = 64;

/// Attributes of an element, declarations of prefixes included. They are compared with each other.
pub const XML_ATTRIBUTES: usize = 256;

/// Elements and texts of a file of XML. All of them are in memory at once.
pub const XML_NODES: u32 = 10_000_000;

/// Size of `modelDescription.xml` \[byte\]. It is read as a whole.
pub const DESCRIPTION_BYTES: usize = 256 << 20;

/// Size of a file that describes a system or has values for one \[byte\], and of all that one description leads to.
pub const SYSTEM_BYTES: u64 = 512 << 20;

/// Systems that are nested in each other. Nobody draws more.
pub const SYSTEM_DEPTH: usize = 64;

/// Components and systems of a system, once every reference is replaced by what it refers to. The instances of one run fit into a machine.
pub const SYSTEM_PARTS: usize = 20_000;

/// Connectors, connections and values of a system, once every reference is replaced by what it refers to: 50 for each of [`SYSTEM_PARTS`].
pub const SYSTEM_CONNECTIONS: usize = 1_000_000;

/// Errors in a system whose references are being replaced. One that is used many times has its own again and again.
pub const SYSTEM_ERRORS: usize = 1000;

/// Values of a table: rows times columns. They take two gigabytes.
pub const TABLE_VALUES: usize = 1 << 28;

/// Size of the texts of a column of a table \[byte\]. Formats that write equal texts once make much of little.
pub const TABLE_TEXT_BYTES: usize = 1 << 31;

/// Size of a row of a table as text \[byte\]. A quote that is not closed makes a row of the rest of the file.
pub const ROW_BYTES: usize = 1 << 26;

/// Length of the name of a matrix in a file of MATLAB's version 4. Those of trajectories have nine letters at most.
pub const MATRIX_NAME: u32 = 64;

/// Problems of one file that are collected. A file of another kind has one in every line.
pub const PROBLEMS: usize = 10_000;

/// Entries of an archive. Each is looked at before anything is unpacked.
pub const ARCHIVE_ENTRIES: usize = 50_000;

/// Unpacked size of an archive \[byte\]. It has to fit on a disk.
pub const ARCHIVE_BYTES: u64 = 8 << 30;

/// Unpacked over packed size of an entry. A higher one is that of an archive that is made to fill disks.
pub const ARCHIVE_RATIO: u64 = 200;

/// Unpacked size up to which an entry of an archive may have any ratio \[byte\]: small files of zeros are common.
pub const ARCHIVE_UNRATED_BYTES: u64 = 16 << 20;
