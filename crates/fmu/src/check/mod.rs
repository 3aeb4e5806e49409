//! What is wrong with an FMU, found without running any of it: archive, model description and library against the rules of the standard.
//!
//! Start reading at [`check`]. [`archive`] has the rules of entries, [`mod@layout`] those of what is in the archive, [`mod@library`] those of the
//! library, [`check_loading`] those that only show when the library runs; the rules of `modelDescription.xml` are in `fmi2`. A new rule is a line in [`RULES`], a check in one of these, and a case
//! in `tests/tests/tools/checks/`.

mod archive;
mod finding;
mod layout;
mod library;
mod loading;
mod rules;

use std::fs::File;
use std::path::Path;

use fmi2::description::{ModelDescription, Severity, Strictness};

pub use finding::Finding;
pub use loading::check_loading;
pub use rules::RULES;

use self::archive::Contents;
use crate::{Error, Limits};

const DESCRIPTION: &str = "modelDescription.xml";

/// Judges a `.fmu` file by the rules of [`RULES`] and [`fmi2::description::RULES`]. Nothing is unpacked, loaded or run.
///
/// The order is that of the checks: archive, model description, what is in the archive, libraries.
///
/// # Errors
/// [`Error::Io`]: the file cannot be read. Whatever else is wrong is a finding.
pub fn check(path: &Path, limits: &Limits) -> Result<Vec<Finding>, Error> {
    let file = File::open(path).map_err(|source| Error::Io { path: path.to_owned(), action: "open the FMU", source })?;
    let mut findings = Findings::default();
    if path.extension().is_none_or(|extension| extension != "fmu") {
        let message = "the file name does not end with .fmu".to_owned();
        findings.warning(None, "extension", message, "rename the file");
    }
    if let Some(mut contents) = Contents::open(file, limits, &mut findings) {
        let description = description(&mut contents, &mut findings);
        layout::check(&mut contents, description.as_ref(), &mut findings);
        if let Some(description) = &description {
            library::check(&mut contents, description, &mut findings);
        }
    }
    Ok(findings.0)
}

/// The description, as far as it can be used, after its own rules were applied.
fn description(contents: &mut Contents, findings: &mut Findings) -> Option<ModelDescription> {
    let Some(xml) = contents.read(DESCRIPTION, findings) else {
        report_missing(contents, findings);
        return None;
    };
    let problems = ModelDescription::examine(&xml).into_iter();
    findings.0.extend(problems.map(|problem| Finding { file: Some(DESCRIPTION.to_owned()), problem }));
    let description = ModelDescription::read(&xml, Strictness::Lenient).ok()?.description;
    if description.co_simulation.is_none() {
        let message = "the FMU has no <CoSimulation>: it is for model exchange only".to_owned();
        findings.error(Some(DESCRIPTION), "no-co-simulation", message, "export it for co-simulation");
    }
    Some(description)
}

/// Says why there is no description, unless that has been said already: it is damaged, or encrypted.
fn report_missing(contents: &Contents, findings: &mut Findings) {
    if findings.0.iter().any(|finding| finding.file.as_deref() == Some(DESCRIPTION)) {
        return;
    }
    let inside = format!("/{DESCRIPTION}");
    match contents.names().find(|name| name.ends_with(&inside)).and_then(|name| name.strip_suffix(&inside)) {
        Some(top) => {
            let message = format!("all entries are in the folder {top}");
            findings.error(None, "top-folder", message, "pack the contents of the folder, not the folder itself");
        }
        None => {
            let message = format!("there is no {DESCRIPTION}");
            findings.error(None, "no-description", message, "add it at the top of the archive");
        }
    }
}

/// What was found so far.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn error(&mut self, file: Option<&str>, rule: &'static str, message: String, remedy: &str) {
        self.0.push(Finding::new(file, Severity::Error, rule, message, remedy));
    }

    fn warning(&mut self, file: Option<&str>, rule: &'static str, message: String, remedy: &str) {
        self.0.push(Finding::new(file, Severity::Warning, rule, message, remedy));
    }

    fn note(&mut self, file: Option<&str>, rule: &'static str, message: String, remedy: &str) {
        self.0.push(Finding::new(file, Severity::Note, rule, message, remedy));
    }
}
