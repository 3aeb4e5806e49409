//! What the analysis needs of the operating system: how it shows a process to others. Another system is a file beside `linux`.

#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
pub(crate) use linux::{children, name};

/// What the system tells about a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    pub umask: String,
    /// The set of signals that its first thread blocks, in hexadecimal digits.
    pub blocked: String,
    /// All limits, one per line.
    pub limits: String,
    /// Resident memory \[KiB\].
    pub resident: u64,
    /// Bytes that it has read from files and pipes.
    pub read: Option<u64>,
    /// Whether it has waited for the end of a process that it started.
    pub has_waited: bool,
}
