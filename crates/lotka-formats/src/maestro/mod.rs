//! Multi-models of INTO-CPS, as Maestro runs them: JSON with FMUs, connections and parameters, and beside it the configuration of
//! a simulation.
//!
//! [`json`] reads text with places, [`files`] finds related files, [`names`] splits `{fmu}.instance.variable`, [`model`] creates
//! instances and connections, [`steps`] the experiment. Start reading at [`read`].

mod files;
mod json;
mod model;
mod names;
mod steps;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use json::{Json, Object};
use lotka_message::{Code, Findings, SourceFile};
use lotka_system::{Error, Read, text};

/// Reads a multi-model, or the configuration of a simulation that names one.
pub(super) fn read(file: SourceFile) -> Result<Read, Error> {
    let mut findings = Findings::default();
    let root = object(&file, true, &mut findings)?;
    if files::is_model(&root) {
        let beside = files::configuration_beside(&file.path).map(|path| text::read(&path)).transpose()?;
        let configuration = match &beside {
            Some(beside) => Some(object(beside, false, &mut findings)?),
            None => None,
        };
        if let Some(beside) = &beside {
            let message = format!("the configuration of the simulation is {}", beside.path.display());
            findings.warning(
                Code::MultiModelIgnored,
                &None,
                message,
                "pass the configuration instead of the multi-model to choose another one".to_owned(),
            );
        }
        let mut read = system(&file, &root, configuration.as_ref(), findings);
        read.description.beside = beside.into_iter().map(|file| file.path).collect();
        return Ok(read);
    }
    let Some(path) = files::model_of(&root, &file.path) else {
        let message = "expected a multi-model (`fmus`) or a configuration (`multimodel_path`), found neither";
        findings.error(Code::MultiModelForm, &None, message, None);
        return Err(Error::System(findings.problems(Some(&file))));
    };
    let main = text::read(&path)?;
    let mut findings = Findings::default();
    let model = object(&main, true, &mut findings)?;
    let configuration = object(&file, false, &mut findings)?;
    let mut read = system(&main, &model, Some(&configuration), findings);
    read.description.beside = vec![file.path];
    Ok(read)
}

/// The members of the top-level object of a file.
fn object<'t>(file: &'t SourceFile, is_main: bool, findings: &mut Findings) -> Result<Object<'t>, Error> {
    let parsed = Json::parse(&file.text, is_main).and_then(|json| json.object());
    parsed.map_err(|(at, message)| {
        findings.error(Code::Syntax, &Some(at..at), format!("cannot parse the JSON: {message}"), None);
        Error::System(std::mem::take(findings).problems(Some(file)))
    })
}

fn system(file: &SourceFile, model: &Object<'_>, configuration: Option<&Object<'_>>, mut findings: Findings) -> Read {
    let base = file.path.parent().map(PathBuf::from).unwrap_or_default();
    // A model inside the steps of Scenario-Verifier.
    let inner = model.get("multiModel").and_then(|inner| inner.object().ok());
    let parameters = model.get("executionParameters").and_then(|inner| inner.object().ok());
    let first = inner.as_ref().unwrap_or(model);
    let settings: Vec<_> =
        configuration.into_iter().chain(parameters.as_ref()).chain([first]).chain(inner.is_some().then_some(model)).collect();
    let mut description = model::convert(first, &settings, &base, &mut findings);
    steps::convert(&settings, &mut description, &mut findings);
    description.file = Some(file.clone());
    Read { description, findings, base, ..Read::default() }
}
