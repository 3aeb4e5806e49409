//! What kind of file describes a system.

use std::{fs::File, io::Read, path::Path};

/// Kinds of files that describe systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Our own.
    Toml,
    /// System Structure and Parameterization: a description, or a package.
    Ssp,
    /// A project of MasterSim.
    MasterSim,
}

impl Format {
    /// By its name; a zip archive is a package whatever its name.
    pub(super) fn of(path: &Path) -> Self {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let file = if path.exists() { name } else { name.rsplit_once('#').map_or(name, |(file, _)| file) };
        let extension = file.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
        match extension.as_deref() {
            Some("ssp" | "ssd") => Self::Ssp,
            Some("msim") => Self::MasterSim,
            _ if is_archive(path) => Self::Ssp,
            _ => Self::Toml,
        }
    }
}

/// Whether a file can be read and begins like a zip archive, as FMUs and packages of SSP do.
#[must_use]
pub fn is_archive(path: &Path) -> bool {
    let mut start = [0; 2];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"PK"
}
