//! FMUs with sources and no library for this platform: the C compiler makes one.
//!
//! ```text
//! archive -> unpacked -> sources and headers -> C compiler -> library -> archive with one entry more -> judged by its file
//! ```
//!
//! No code of the FMU runs. Start reading at [`compile_fmu`].

mod archive;
mod compiler;
mod error;
mod headers;
mod sources;

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use fmi2::description::Severity;
use fmu::{Archive, Finding, Limits, OpenOptions, PLATFORM};
use tempfile::TempDir;

pub use error::CompileError;

use crate::replace::replace_file;

/// A compiled FMU.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CompiledFmu {
    /// The new archive.
    pub path: PathBuf,
    /// Path of the library in the archive.
    pub library: String,
    /// The compiled sources.
    pub sources: Vec<PathBuf>,
    /// Oddities of the library.
    pub warnings: Vec<Finding>,
}

/// Compiles the sources of an FMU with the C compiler of the system to a library for this platform, and writes a new archive.
///
/// The environment variables `CC`, `CFLAGS` and `LDFLAGS` apply; the default is `cc -O2`. The archive has the library beside all
/// other files, which stay the same, byte for byte. The library is not loaded; only its symbols are read.
///
/// # Errors
/// [`CompileError`]: there is nothing to compile, the compiler refuses the sources, the result lacks functions, `to` exists and
/// is not to be replaced, or a file cannot be read or written.
pub fn compile_fmu(path: &Path, to: &Path, replace: bool) -> Result<CompiledFmu, CompileError> {
    if to.exists() && !replace {
        return Err(CompileError::Exists { path: to.to_owned() });
    }
    let mut archive = Archive::open(path, &OpenOptions::default()).map_err(CompileError::Fmu)?;
    let nothing = |reason: String| CompileError::Nothing { path: path.to_owned(), reason };
    let Some(description) = archive.description().as_fmi2() else {
        return Err(nothing(format!(
            "only FMUs of FMI 2.0 can be compiled, and it is for FMI {}",
            archive.description().fmi_version()
        )));
    };
    let Some(co_simulation) = description.co_simulation.clone() else {
        return Err(nothing("it is for model exchange only".to_owned()));
    };
    let interface = &co_simulation.interface;
    let work = TempDir::new().map_err(CompileError::Work)?;
    let unpacked = work.path().join("fmu");
    fs::create_dir(&unpacked).map_err(CompileError::Work)?;
    archive.unpack(&unpacked).map_err(CompileError::Fmu)?;
    if has_library(&unpacked.join("binaries").join(PLATFORM)) {
        return Err(nothing(format!("it has a library for {PLATFORM}")));
    }
    let sources = sources::find(&unpacked.join("sources"), interface).map_err(nothing)?;
    let built = compiler::build(path, work.path(), interface, &sources)?;
    let library = format!("binaries/{PLATFORM}/{}.so", interface.model_identifier);
    let bytes = archive::with_entry(path, &library, &built)?;
    let warnings = judge(path, &work.path().join("compiled.fmu"), &library, &bytes)?;
    replace_file(to, &bytes).map_err(|reason| CompileError::Write { path: to.to_owned(), reason })?;
    Ok(CompiledFmu { path: to.to_owned(), library, sources, warnings })
}

fn has_library(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| entry.path().extension() == Some(OsStr::new("so")))
}

/// Returns what is unusual about the library, without loading it.
fn judge(path: &Path, draft: &Path, library: &str, bytes: &[u8]) -> Result<Vec<Finding>, CompileError> {
    fs::write(draft, bytes).map_err(CompileError::Work)?;
    let mut findings = fmu::check(draft, &Limits::default()).map_err(CompileError::Fmu)?;
    findings.retain(|finding| finding.file.as_deref() == Some(library) && finding.problem.severity > Severity::Note);
    let is_error = |finding: &&Finding| finding.problem.severity == Severity::Error;
    match findings.iter().find(is_error) {
        Some(finding) => Err(CompileError::Unfit { path: path.to_owned(), reason: finding.problem.message.clone() }),
        None => Ok(findings),
    }
}
