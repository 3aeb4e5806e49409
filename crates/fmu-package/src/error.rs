//! What can keep an FMU from being packed.

use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;

use crate::{GlibcVersion, NotALibrary};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an FMU was not packed. Nothing was written then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Everything that is wrong with what was to be packed.
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
        /// Which.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// The FMU could not be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// Cargo could not be started.
    #[error("cannot start {command}: {reason}")]
    CargoStart {
        /// The command line.
        command: String,
        /// Why.
        reason: std::io::Error,
    },
    /// Cargo failed; what it said is on stderr.
    #[error("{command} ended with {status}")]
    Cargo {
        /// The command line.
        command: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// Cargo answered with something else than the expected JSON.
    #[error("cannot read the output of {command}: {reason}")]
    CargoReply {
        /// The command.
        command: &'static str,
        /// Why.
        reason: serde_json::Error,
    },
    /// The folder belongs to no package with a library that C programs can load.
    #[error(
        "expected the folder of a package with crate-type = [\"cdylib\", \"rlib\"] under [lib] in its Cargo.toml, found {}",
        folder.display()
    )]
    NoCdylib {
        /// The folder.
        folder: PathBuf,
    },
    /// Cargo built the package, but no shared library came out.
    #[error("cargo built package `{package}` without a .so file; check that the build target is x86-64 Linux")]
    NoLibrary {
        /// The package.
        package: String,
    },
    /// Libraries for an older C library are built with cargo-zigbuild, which is not there.
    #[error(
        "building for glibc {glibc} needs cargo-zigbuild and zig: run pip install cargo-zigbuild ziglang, and add their folder \
         to PATH"
    )]
    NoZigbuild {
        /// The C library that was asked for.
        glibc: GlibcVersion,
    },
    /// The command line is not understood.
    #[error("unexpected argument `{argument}`; usage: pack [--output DIR] [--glibc VERSION]")]
    Usage {
        /// The first argument that is not understood.
        argument: String,
    },
}

/// One thing that is wrong with what was to be packed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The description has no co-simulation interface.
    #[error("the model description has no CoSimulation element")]
    NoCoSimulation,
    /// The model identifier cannot name a library and its functions.
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
    /// A library is no library for linux64.
    #[error("{} {reason}", path.display())]
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: NotALibrary,
    },
    /// Symbols that are not in the C library of the oldest systems on which the FMU is to run.
    #[error("{} needs a newer glibc than {oldest}: it uses {}", path.display(), symbols.join(", "))]
    NewerGlibc {
        /// The file.
        path: PathBuf,
        /// The C library with which it is to run.
        oldest: GlibcVersion,
        /// The symbols, each with the version that brought it.
        symbols: Vec<String>,
    },
    /// Functions of FMI that the library does not export.
    #[error("{} does not export {}; call fmu_sdk::export! in its crate", path.display(), names.join(", "))]
    MissingSymbols {
        /// The file.
        path: PathBuf,
        /// The functions, in the order of the standard.
        names: Vec<&'static str>,
    },
    /// Symbols that the library exports beside those of FMI; they can clash with those of other FMUs in one process.
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
    /// Two sources for one entry, or a file in the place of one that is made here.
    #[error("entry `{name}` occurs twice, or has the name of a generated entry")]
    DuplicateEntry {
        /// The name.
        name: String,
    },
    /// `model.png` is something else.
    #[error("model.png is not a PNG image")]
    NotAPng,
}

struct Lines<'a>(&'a [Problem]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}
