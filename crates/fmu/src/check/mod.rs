//! Checks of an FMU without running its code: archive, model description and library against the rules of the standard.
//!
//! Start reading at [`check`]. [`archive`] has the rules for entries, [`mod@layout`] those for the contents of the archive, and
//! [`mod@library`] those for the library. [`check_loading`] checks rules that require running the library. The rules for
//! `modelDescription.xml` are in `fmi2`. A new rule needs a line in [`RULES`], a check in one of these modules, and a case in
//! `tests/tests/tools/checks/`.

mod archive;
mod finding;
mod layout;
mod library;
mod loading;
mod rules;

use std::fs::File;
use std::path::Path;

use fmi2::description::Strictness;
use fmi3::description::MOST_ELEMENTS;

pub use finding::Finding;
pub use loading::check_loading;
pub use rules::RULES;

use self::archive::Contents;
use self::finding::Findings;
use crate::archive::DESCRIPTION;
use crate::{Description, Error, Limits};

/// Checks a `.fmu` file against [`RULES`] and [`fmi2::description::RULES`]. Nothing is unpacked, loaded or run.
///
/// Findings are in the order of the checks: archive, model description, contents of the archive, libraries.
///
/// # Errors
/// [`Error::Io`]: the file cannot be read. Every other problem is a finding.
pub fn check(path: &Path, limits: &Limits) -> Result<Vec<Finding>, Error> {
    let file = File::open(path).map_err(|reason| Error::Io { path: path.to_owned(), action: "open the FMU", reason })?;
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

/// Returns the usable part of the description, after applying its own rules.
fn description(contents: &mut Contents, findings: &mut Findings) -> Option<Description> {
    let Some(xml) = contents.read(DESCRIPTION, findings) else {
        report_missing(contents, findings);
        return None;
    };
    let problems = Description::examine(&xml).into_iter();
    findings.0.extend(problems.map(|problem| Finding { file: Some(DESCRIPTION.to_owned()), problem }));
    let (description, _) = Description::read(&xml, Strictness::Lenient).ok()?;
    if description.model_identifier().is_none() {
        let message = "the FMU has no <CoSimulation>, so it cannot be coupled".to_owned();
        findings.error(Some(DESCRIPTION), "no-co-simulation", message, "export it for co-simulation");
    }
    if let Some(clock) = description.first_used_clock() {
        let message = format!("variables depend on the clock `{clock}`, and clocks are not supported");
        findings.error(Some(DESCRIPTION), "clocks", message, "export the model without clocks");
    }
    if let Some(n_elements) = description.excessive_elements() {
        let message = format!("the arrays have {n_elements} elements, and at most {MOST_ELEMENTS} are supported");
        findings.error(Some(DESCRIPTION), "array-size", message, "start structural parameters with smaller sizes");
    }
    Some(description)
}

/// Reports why there is no description, unless it is known to be damaged or encrypted.
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
