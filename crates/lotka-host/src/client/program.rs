//! Where the host program is.

use std::env;
use std::path::{Path, PathBuf};

use crate::Error;

const VARIABLE: &str = "LOTKA_FMU_HOST";
const NAME: &str = "lotka-fmu-host";

/// The host program: as given, or as the environment says, or beside this program.
pub(super) fn locate(given: Option<&Path>) -> Result<PathBuf, Error> {
    let variable = || env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let beside = || env::current_exe().ok().map(|program| program.with_file_name(NAME));
    let Some(path) = given.map(Path::to_owned).or_else(variable).or_else(beside) else {
        return Err(Error::NoProgram { looked_at: Vec::new() });
    };
    if path.is_file() { Ok(path) } else { Err(Error::NoProgram { looked_at: vec![path] }) }
}
