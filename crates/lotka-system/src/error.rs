//! Why a system cannot be read.

use std::path::{Path, PathBuf};

use lotka_message::{Code, Coded, Problems};

/// Error of reading a system.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system description is inconsistent; all problems at once.
    #[error("{0}")]
    System(Problems),
    /// The system file cannot be read.
    #[error("cannot read the system file {}: {reason}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// A package has no system description of this name.
    #[error("{}: the package has no {wanted}; {}", path.display(), Descriptions(path, present))]
    NoDescription {
        /// The package.
        path: PathBuf,
        /// What was looked for.
        wanted: String,
        /// What is there.
        present: Vec<String>,
    },
    /// A package is refused, or damaged.
    #[error("{0}")]
    Package(fmu::Error),
}

impl Coded for Error {
    fn code(&self) -> Code {
        match self {
            Self::System(problems) => problems.code(),
            Self::Read { .. } => Code::UnreadableFile,
            Self::NoDescription { .. } => Code::SspNoDescription,
            Self::Package(error) => error.code(),
        }
    }
}

/// Lists the descriptions in a package and how to select one.
struct Descriptions<'a>(&'a Path, &'a [String]);

impl std::fmt::Display for Descriptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(path, present) = self;
        let Some(first) = present.first() else { return f.write_str("it has no system description (.ssd)") };
        write!(f, "available: {}; pass {}#{first}", present.join(", "), path.display())
    }
}
