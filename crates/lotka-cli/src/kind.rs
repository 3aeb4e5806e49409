//! Distinguishes FMUs from system files.

use std::{ffi::OsStr, path::Path};

use lotka::command::is_archive;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Fmu,
    System,
}

impl Kind {
    /// Determines the kind by content: a zip archive is an FMU, unless it has the extension of an SSP package. For any other
    /// file, and for unreadable files, the extension decides.
    pub(crate) fn of(path: &Path) -> Self {
        let is_named =
            |wanted: &str| path.extension().and_then(OsStr::to_str).is_some_and(|name| name.eq_ignore_ascii_case(wanted));
        if (is_archive(path) && !is_named("ssp")) || is_named("fmu") { Self::Fmu } else { Self::System }
    }
}
