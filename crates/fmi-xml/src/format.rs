//! The format of a description, by version of FMI.

/// What distinguishes the XML of a version of FMI from that of others before any element is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Name of the version in messages, such as "FMI 2.0".
    pub name: &'static str,
    /// Whether files must be encoded in UTF-8.
    pub is_utf8_only: bool,
}
