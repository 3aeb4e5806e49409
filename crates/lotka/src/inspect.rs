//! The inspection of a single FMU, before it becomes part of a system.

use std::path::{Path, PathBuf};

use fmi2::description::{RULES, Rule, Severity};
use fmu::{Archive, Description, Finding, Limits, OpenOptions};
use lotka_instance::ModelDescription;

use crate::Error;
use lotka_message::{Code, Warning};

/// Self-description of an FMU.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FmuInfo {
    /// The file.
    pub path: PathBuf,
    /// The model description, in the form of its version of FMI.
    pub description: Description,
    /// The part that all versions of FMI share, with the declared capabilities.
    pub interface: ModelDescription,
    /// The platforms for which there are libraries, as the folders below `binaries` are named.
    pub platforms: Vec<String>,
    /// Oddities of archive and description that do not affect a run.
    pub warnings: Vec<Warning>,
}

/// Reads an FMU without unpacking it or loading a library; FMUs for other platforms can be read, too.
///
/// # Errors
/// [`Error::Fmu`]: the archive is refused or damaged, or the model description cannot be used.
pub fn inspect_fmu(path: impl AsRef<Path>) -> Result<FmuInfo, Error> {
    let archive = Archive::open(path.as_ref(), &OpenOptions::default()).map_err(Error::Fmu)?;
    let description = archive.description().clone();
    Ok(FmuInfo {
        path: archive.path().to_owned(),
        interface: archive.interface().clone(),
        platforms: archive.platforms(),
        warnings: archive.warnings().iter().map(|warning| Warning::new(Code::OddFmu, warning.to_string())).collect(),
        description,
    })
}

/// Returns all rules of [`check_fmu`], each name once: those of `modelDescription.xml` of FMI 2.0, what FMI 3.0 adds to them,
/// then those of archive and library.
pub fn check_rules() -> impl Iterator<Item = &'static Rule> {
    let is_new = |rule: &&Rule| RULES.iter().all(|known| known.name != rule.name);
    RULES.iter().chain(fmi3::description::RULES.iter().filter(is_new)).chain(fmu::RULES)
}

/// Returns the rules of this name, one for each requirement: FMI 2.0 and 3.0 may differ in it, and then come first and second.
#[must_use]
pub fn check_rules_named(name: &str) -> Vec<&'static Rule> {
    let lists = [RULES, fmi3::description::RULES, fmu::RULES];
    let mut rules: Vec<&Rule> = lists.into_iter().flatten().filter(|rule| rule.name == name).collect();
    rules.dedup_by_key(|rule| rule.demands);
    rules
}

/// Checks an FMU against the rules of `docs/checks.md`: archive, description and library without running any of it. If there is
/// no error, the check also loads the library and makes one instance.
///
/// # Errors
/// [`Error::Fmu`]: the file cannot be read. Everything else is a finding.
pub fn check_fmu(path: impl AsRef<Path>) -> Result<Vec<Finding>, Error> {
    let mut findings = check_fmu_file(&path)?;
    if findings.iter().all(|finding| finding.problem.severity < Severity::Error) {
        findings.extend(fmu::check_loading(path.as_ref()));
    }
    Ok(findings)
}

/// Checks as [`check_fmu`] does, without loading the library: no code of the FMU runs.
///
/// # Errors
/// As of [`check_fmu`].
pub fn check_fmu_file(path: impl AsRef<Path>) -> Result<Vec<Finding>, Error> {
    fmu::check(path.as_ref(), &Limits::default()).map_err(Error::Fmu)
}
