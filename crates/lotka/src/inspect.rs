//! One FMU looked at on its own, before it becomes part of a system.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use fmi2::{Capabilities, LogMessage, ModelDescription, Status, description::CoSimulation};
use fmu::{Archive, Fmu, InstantiateOptions, OpenOptions};

use crate::{Error, Warning};

/// What an FMU says about itself.
#[derive(Debug, Clone)]
pub struct FmuInfo {
    /// The file.
    pub path: PathBuf,
    /// The model description.
    pub description: ModelDescription,
    /// The capabilities that the model description declares.
    pub capabilities: Capabilities,
    /// The platforms for which there are libraries, as the folders below `binaries` are named.
    pub platforms: Vec<String>,
    /// What is odd about archive and description, without harm to a run.
    pub warnings: Vec<Warning>,
}

/// Reads an FMU. Nothing is unpacked and no library is loaded, so FMUs for other platforms can be read, too.
///
/// # Errors
/// [`Error::Fmu`]: the archive is refused or damaged, or the model description cannot be used.
pub fn inspect_fmu(path: impl AsRef<Path>) -> Result<FmuInfo, Error> {
    let archive = Archive::open(path.as_ref(), &OpenOptions::default()).map_err(Error::Fmu)?;
    let description = archive.description().clone();
    Ok(FmuInfo {
        path: archive.path().to_owned(),
        capabilities: description.co_simulation.as_ref().map(CoSimulation::declared_capabilities).unwrap_or_default(),
        platforms: archive.platforms(),
        warnings: archive.warnings().iter().map(|warning| Warning(warning.to_string())).collect(),
        description,
    })
}

/// Reads an FMU, loads its library and makes one instance. Returns what is odd: about archive, description and library, and what
/// the instance logged as a warning or worse.
///
/// # Errors
/// [`Error::Fmu`]: as [`inspect_fmu`], or the library is missing or cannot be loaded, or the FMU refuses to be instantiated.
pub fn check_fmu(path: impl AsRef<Path>) -> Result<Vec<Warning>, Error> {
    let fmu = Fmu::open(path).map_err(Error::Fmu)?;
    let lines = Arc::new(Mutex::new(Vec::<LogMessage>::new()));
    let sink = lines.clone();
    let log: fmi2::LogSink = Arc::new(move |line| sink.lock().unwrap_or_else(PoisonError::into_inner).push(line));
    drop(fmu.instantiate("check", &InstantiateOptions { log: Some(log), ..InstantiateOptions::default() }).map_err(Error::Fmu)?);
    let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    let odd =
        lines.iter().filter(|line| line.status != Some(Status::Ok)).map(|line| Warning(format!("it logged: {}", line.message)));
    Ok(fmu.warnings().iter().map(|warning| Warning(warning.to_string())).chain(odd).collect())
}
