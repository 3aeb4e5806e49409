//! FMU or system file?

use std::{ffi::OsStr, path::Path};

use lotka::command::is_archive;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Fmu,
    System,
}

impl Kind {
    /// By content: an FMU is a zip archive, unless it is named as a package of SSP. Files that are none, and files that cannot be read, go by their
    /// extension.
    pub(crate) fn of(path: &Path) -> Self {
        let is_named =
            |wanted: &str| path.extension().and_then(OsStr::to_str).is_some_and(|name| name.eq_ignore_ascii_case(wanted));
        if (is_archive(path) && !is_named("ssp")) || is_named("fmu") { Self::Fmu } else { Self::System }
    }
}
