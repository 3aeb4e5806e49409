//! The choice of the program that hosts FMUs.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::platform::{THIS, named};
use crate::server::{NAME, serves};
use lotka_instance::HostOptions;

const VARIABLE: &str = "LOTKA_FMU_HOST";

/// A program that hosts an FMU when started as a host.
#[derive(Clone)]
pub(super) struct Program {
    path: PathBuf,
}

impl Program {
    /// Finds the program: the given one, otherwise that of the environment, otherwise this program itself if it can serve as a
    /// host, otherwise the one beside it.
    pub fn locate(given: Option<&Path>) -> Result<Self, Error> {
        let variable = || env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        let this = || serves().then(|| PathBuf::from(THIS));
        let beside = || env::current_exe().ok().map(|program| program.with_file_name(NAME));
        let Some(path) = given.map(Path::to_owned).or_else(variable).or_else(this).or_else(beside) else {
            return Err(Error::NoProgram { looked_at: Vec::new() });
        };
        if path.is_file() { Ok(Self { path }) } else { Err(Error::NoProgram { looked_at: vec![path] }) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the command that starts it as a host: its name selects this role.
    pub fn command(&self) -> std::io::Result<Command> {
        named(&self.path, NAME)
    }
}

/// Whether there is a program for hosts.
#[must_use]
pub fn has_program(options: &HostOptions) -> bool {
    Program::locate(options.program.as_deref()).is_ok()
}
