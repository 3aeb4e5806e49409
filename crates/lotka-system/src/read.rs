//! Files of every format.

use std::path::Path;

use lotka_message::{Code, Findings, SourceFile};

use crate::{Error, Read, SweepDescription, format::Format, text, toml};
#[cfg(feature = "msim")]
use crate::{maestro, msim};
#[cfg(feature = "ssp")]
use crate::{osp, ssp};

/// Reads a system file: TOML, a system structure description (`.ssd`) or package (`.ssp`) of the standard SSP, a project of MasterSim (`.msim`), an
/// `OspSystemStructure.xml`, or a multi-model of INTO-CPS (`mm.json`).
///
/// Append `#` and a name to choose one of several descriptions in a package: `plant.ssp#Winter.ssd`.
///
/// # Errors
/// The file cannot be read, or [`Error::System`]: its text does not have its format, or its instances cannot be identified. All other problems are
/// among the findings.
pub fn read(path: &Path) -> Result<Read, Error> {
    let text = || text::read(path).map(|file| file.text);
    let (description, findings) = match Format::of(path) {
        #[cfg(feature = "ssp")]
        Format::Ssp => return ssp::read(path),
        #[cfg(feature = "ssp")]
        Format::Osp => osp::read(text::read(path)?)?,
        #[cfg(feature = "msim")]
        Format::MasterSim => msim::read(path, &text()?),
        #[cfg(feature = "msim")]
        Format::MultiModel => return maestro::read(text::read(path)?),
        #[cfg(not(feature = "ssp"))]
        Format::Ssp | Format::Osp => return Err(not_built(path, "ssp")),
        #[cfg(not(feature = "msim"))]
        Format::MasterSim | Format::MultiModel => return Err(not_built(path, "msim")),
        Format::Fmu => return Err(foreign(path, "an FMU", "add it to a system file; `lotka new` creates one")),
        Format::Foreign(what, help) => return Err(foreign(path, what, help)),
        Format::Toml => toml::read(path, &text()?).map_err(Error::System)?,
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

/// A format without its feature.
#[cfg(not(all(feature = "msim", feature = "ssp")))]
fn not_built(path: &Path, feature: &str) -> Error {
    let help = format!("build the program with the feature `{feature}` of the crate lotka");
    foreign(path, "in a format that this program does not support", &help)
}
