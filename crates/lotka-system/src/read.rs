//! Files of every format.

use std::path::Path;

use lotka_message::{Code, Findings, SourceFile};

#[cfg(feature = "ssp")]
use crate::ssp;
use crate::{Error, Read, SweepDescription, format::Format, text, toml};

/// Reads a system file: TOML, or a system structure description (`.ssd`) or package (`.ssp`) of the standard SSP.
///
/// Append `#` and a name to choose one of several descriptions in a package: `plant.ssp#Winter.ssd`.
///
/// # Errors
/// The file cannot be read, or [`Error::System`]: its text does not have its format, or its instances cannot be identified. All
/// other problems are among the findings.
pub fn read(path: &Path) -> Result<Read, Error> {
    let (description, findings) = match Format::of(path) {
        #[cfg(feature = "ssp")]
        Format::Ssp => return ssp::read(path),
        #[cfg(not(feature = "ssp"))]
        Format::Ssp => return Err(not_built(path, "ssp")),
        Format::MasterSim | Format::MultiModel | Format::Osp => return Err(not_built(path, "formats")),
        Format::Fmu => return Err(foreign(path, "an FMU", "add it to a system file; `lotka new` creates one")),
        Format::Foreign(what, help) => return Err(foreign(path, what, help)),
        Format::Toml => toml::read(path, &text::read(path)?.text).map_err(Error::System)?,
    };
    let base = path.parent().map(Path::to_owned).unwrap_or_default();
    Ok(Read { description, findings, base, ..Read::default() })
}

/// Reads a study: a system, parameters that vary, and what is kept of each run.
///
/// # Errors
/// The file cannot be read, or all problems of its text.
pub fn read_sweep(path: &Path) -> Result<SweepDescription, Error> {
    let file = text::read(path)?;
    toml::read_sweep(path, &file.text).map_err(Error::System)
}

/// A file other than the description of a system.
fn foreign(path: &Path, what: &str, help: &str) -> Error {
    let mut findings = Findings::default();
    findings.error(Code::NotASystem, &None, format!("expected a system description, found {what}"), help.to_owned());
    Error::System(findings.problems(Some(&SourceFile { path: path.to_owned(), text: "".into() })))
}

/// A format that this program reads only with a feature.
fn not_built(path: &Path, feature: &str) -> Error {
    let help = format!("build the program with the feature `{feature}` of the crate lotka");
    foreign(path, "in a format that this program does not support", &help)
}
