//! The versions of FMI for which a model is packed.

use std::env::consts::{ARCH, OS};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A version of FMI for which FMUs are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FmiVersion {
    /// FMI 2.0.
    #[default]
    Fmi2,
    /// FMI 3.0.
    Fmi3,
}

/// A text that names no version for which FMUs are packed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected 2.0 or 3.0, found `{0}`")]
pub struct NotAnFmiVersion(String);

impl FmiVersion {
    /// Returns the folder for the FMUs of each version; without a version, of FMI 2.0. It is `output` or `default`. FMUs of FMI
    /// 3.0 are in its folder `fmi3`, unless they are alone in `output`.
    #[must_use]
    pub fn folders(versions: &[Self], output: Option<&Path>, default: &Path) -> Vec<(Self, PathBuf)> {
        let versions = if versions.is_empty() { &[Self::Fmi2] } else { versions };
        let is_alone = output.is_some() && versions.iter().all(|version| *version == Self::Fmi3);
        let folder = output.unwrap_or(default);
        let of = |version: &Self| match version {
            Self::Fmi3 if !is_alone => (*version, folder.join("fmi3")),
            _ => (*version, folder.to_owned()),
        };
        versions.iter().map(of).collect()
    }

    /// Returns the name of this platform in the folder `binaries`.
    pub(crate) fn platform(self) -> String {
        match self {
            Self::Fmi2 => fmu::PLATFORM.into(),
            Self::Fmi3 => format!("{ARCH}-{}", if OS == "macos" { "darwin" } else { OS }),
        }
    }

    /// Returns the name of the picture of the model in the archive.
    pub(crate) fn picture(self) -> &'static str {
        match self {
            Self::Fmi2 => "model.png",
            Self::Fmi3 => "terminalsAndIcons/icon.png",
        }
    }
}

impl fmt::Display for FmiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fmi2 => "2.0",
            Self::Fmi3 => "3.0",
        })
    }
}

impl FromStr for FmiVersion {
    type Err = NotAnFmiVersion;

    fn from_str(text: &str) -> Result<Self, NotAnFmiVersion> {
        [Self::Fmi2, Self::Fmi3]
            .into_iter()
            .find(|version| version.to_string() == text)
            .ok_or_else(|| NotAnFmiVersion(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_have_folders_of_their_own() {
        let (default, output) = (Path::new("fmus"), Some(Path::new("out")));
        let folders = |versions: &[FmiVersion], output| {
            let folders = FmiVersion::folders(versions, output, default);
            folders.into_iter().map(|(version, folder)| format!("{version}: {}", folder.display())).collect::<Vec<_>>()
        };
        assert_eq!(folders(&[], None), ["2.0: fmus"]);
        assert_eq!(folders(&[FmiVersion::Fmi3], None), ["3.0: fmus/fmi3"]);
        assert_eq!(folders(&[FmiVersion::Fmi3], output), ["3.0: out"]);
        assert_eq!(folders(&[FmiVersion::Fmi3, FmiVersion::Fmi2], output), ["3.0: out/fmi3", "2.0: out"]);
    }

    #[test]
    fn versions_are_read_as_they_are_written() {
        for version in [FmiVersion::Fmi2, FmiVersion::Fmi3] {
            assert_eq!(version.to_string().parse(), Ok(version));
        }
        assert_eq!("3".parse::<FmiVersion>().unwrap_err().to_string(), "expected 2.0 or 3.0, found `3`");
    }
}
