//! Rules that can be checked only when the library runs.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use lotka_instance::{LogMessage, LogSink, Status};

use super::finding::{Finding, Findings};
use crate::{Fmu, InstantiateOptions, Warning};

/// Loads the library of a `.fmu` file and creates one instance. The FMU is native code that runs in this process: check only
/// files that you would execute.
#[must_use]
pub fn check_loading(path: &Path) -> Vec<Finding> {
    let mut findings = Findings::default();
    match Fmu::open(path) {
        Ok(fmu) => {
            fmu.warnings().iter().for_each(|warning| report(warning, &mut findings));
            instantiate(&fmu, &mut findings);
        }
        Err(error) => findings.error(None, "load", error.to_string(), "test it on the system that it was built for"),
    }
    findings.0
}

/// Reports findings from loading the library; the others were found without loading it.
fn report(warning: &Warning, findings: &mut Findings) {
    match warning {
        Warning::CapabilityDropped { .. } => {
            findings.warning(
                Some("modelDescription.xml"),
                "capability",
                warning.to_string(),
                "export the function, or set the attribute to false",
            );
        }
        Warning::ProcessStateChanged { .. } => {
            let remedy = "do not change the process when the library is loaded (a library built with -ffast-math changes the \
                          floating-point control)";
            findings.warning(None, "surroundings", warning.to_string(), remedy);
        }
        Warning::Description(_)
        | Warning::EntryName { .. }
        | Warning::EntryRepeated { .. }
        | Warning::LibraryName { .. }
        | Warning::NeighborsLoaded { .. }
        | Warning::MissingFunctions { .. }
        | Warning::Mixed { .. } => {}
    }
}

fn instantiate(fmu: &Fmu, findings: &mut Findings) {
    let lines = Arc::new(Mutex::new(Vec::<LogMessage>::new()));
    let sink = lines.clone();
    let log: LogSink = Arc::new(move |line| sink.lock().unwrap_or_else(PoisonError::into_inner).push(line));
    let made = fmu.instantiate("check", &InstantiateOptions { log: Some(log), ..InstantiateOptions::default() });
    if let Err(error) = made.map(drop) {
        return findings.error(
            None,
            "instantiate",
            error.to_string(),
            "follow the log message of the FMU; the GUID must be the one built into the library",
        );
    }
    let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    for line in lines.iter().filter(|line| line.status != Some(Status::Ok)) {
        findings.warning(None, "logged", format!("instantiation logged: {}", line.message), "follow the message");
    }
}
