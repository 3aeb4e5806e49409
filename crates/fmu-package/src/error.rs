//! Reasons why an FMU cannot be packed.

use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;

use crate::{GlibcVersion, NotALibrary};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an FMU was not packed. In that case, nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The content cannot be packed.
    #[error("cannot pack `{name}`:{}", Lines(.problems))]
    Unfit {
        /// Name of the model.
        name: String,
        /// All problems.
        problems: Vec<Problem>,
    },
    /// A file or folder could not be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        reason: std::io::Error,
    },
    /// The FMU could not be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        reason: std::io::Error,
    },
    /// Cargo could not be started.
    #[error("cannot start {command}: {reason}")]
    CargoStart {
        /// The command line.
        command: String,
        /// The cause.
        reason: std::io::Error,
    },
    /// Cargo failed; its messages are on stderr.
    #[error("{command} ended with {status}")]
    Cargo {
        /// The command line.
        command: String,
        /// Exit status of cargo.
        status: ExitStatus,
    },
    /// Cargo's reply is not the expected JSON.
    #[error("cannot read the output of {command}: {reason}")]
    CargoReply {
        /// The command.
        command: &'static str,
        /// The cause.
        reason: serde_json::Error,
    },
    /// The folder contains no package with a library that C programs can load.
    #[error(
        "expected the folder of a package with crate-type = [\"cdylib\", \"rlib\"] under [lib] in its Cargo.toml, found {}",
        folder.display()
    )]
    NoCdylib {
        /// The folder.
        folder: PathBuf,
    },
    /// Cargo built the package, but produced no shared library.
    #[error("cargo built package `{package}` without a .so file; check that the build target is x86-64 Linux")]
    NoLibrary {
        /// The package.
        package: String,
    },
    /// cargo-zigbuild, which builds libraries for an older C library, is missing.
    #[error(
        "building for glibc {glibc} needs cargo-zigbuild and zig: run pip install cargo-zigbuild ziglang, and add their folder \
         to PATH"
    )]
    NoZigbuild {
        /// The requested C library.
        glibc: GlibcVersion,
    },
    /// The command line is invalid.
    #[error("unexpected argument `{argument}`; usage: pack [--output DIR] [--fmi 2.0|3.0] [--glibc VERSION]")]
    Usage {
        /// The first invalid argument.
        argument: String,
    },
}

/// A problem of the content to be packed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The description has no co-simulation interface.
    #[error("the model description has no CoSimulation element")]
    NoCoSimulation,
    /// The model identifier is not a valid name for a library and its functions.
    #[error("modelIdentifier `{identifier}` is not a C identifier: use ASCII letters, digits and underscores, no digit first")]
    BadIdentifier {
        /// The identifier.
        identifier: String,
    },
    /// The description breaks a rule of the standard.
    #[error("modelDescription.xml: {0}")]
    Description(fmi2::description::Problem),
    /// The author's declaration of the model contradicts itself.
    #[error(transparent)]
    Declaration(fmu_sdk::Error),
    /// A library is not a shared library for Linux on x86-64.
    #[error("{} {reason}", path.display())]
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: NotALibrary,
    },
    /// Symbols that are missing in the oldest C library on which the FMU must run.
    #[error("{} needs a newer glibc than {oldest}: it uses {}", path.display(), symbols.join(", "))]
    NewerGlibc {
        /// The file.
        path: PathBuf,
        /// The oldest C library on which the FMU must run.
        oldest: GlibcVersion,
        /// The symbols, each with the version that introduced it.
        symbols: Vec<String>,
    },
    /// FMI functions that the library does not export.
    #[error("{} does not export {}; call fmu_sdk::export! in its crate", path.display(), names.join(", "))]
    MissingSymbols {
        /// The file.
        path: PathBuf,
        /// The functions, in the order of the standard.
        names: Vec<&'static str>,
    },
    /// Exported symbols beyond those of FMI. They can clash with symbols of other FMUs in the same process.
    #[error("{} exports symbols besides the functions of FMI; hide them: {}", path.display(), names.join(", "))]
    ExtraSymbols {
        /// The file.
        path: PathBuf,
        /// The symbols, sorted.
        names: Vec<String>,
    },
    /// A name that some importers cannot unpack.
    #[error(
        "entry `{name}`: use relative paths of printable ASCII with forward slashes, without `.` and `..` and without any of \\ \
         : * ? \" < > |"
    )]
    BadName {
        /// The name.
        name: String,
    },
    /// Two sources for one entry, or a file with the name of a generated entry.
    #[error("entry `{name}` occurs twice, or has the name of a generated entry")]
    DuplicateEntry {
        /// The name.
        name: String,
    },
    /// `model.png` is not a PNG image.
    #[error("the picture of the model, model.png, is not a PNG image")]
    NotAPng,
}

struct Lines<'a>(&'a [Problem]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}
