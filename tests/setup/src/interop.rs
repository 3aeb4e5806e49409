//! Tools of others, which Lotka is tested against: FMPy, ecos, libcosim, fmu-manipulation-toolbox, pythonfmu, pythonfmu3, taplo,
//! and the registry's crates `fmi`, `fmi-rs` and `fmi-export`.
//!
//! [`prepare`] installs them into `target/interop` (network needed once, nothing is installed globally); [`Interop::find`] is for
//! tests and installs nothing. The scripts and the pinned versions are in `tests/interop`.

mod install;
mod zig;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use install::{prepare, python};
pub use zig::Zig;

/// The installed tools.
#[derive(Debug, Clone)]
pub struct Interop {
    scripts: PathBuf,
    packages: PathBuf,
    native: PathBuf,
    fmi_crates: PathBuf,
}

impl Interop {
    /// The tools that [`prepare`] installed under the root of the project.
    ///
    /// # Errors
    /// A sentence when they are missing or older than the pinned versions.
    pub fn find(root: &Path) -> Result<Self, String> {
        let places = install::Places::new(root);
        if places.is_current() { places.interop() } else { Err(places.not_installed()) }
    }

    /// A command that runs a script of `tests/interop` with the packages in reach.
    pub fn script(&self, name: &str) -> Command {
        let mut command = self.python();
        command.arg(self.scripts.join(name));
        command
    }

    /// The Python interpreter with the packages in reach.
    pub fn python(&self) -> Command {
        let mut command = Command::new(python());
        command
            .env("PYTHONPATH", &self.packages)
            .env("PYTHONNOUSERSITE", "1")
            .env("LD_LIBRARY_PATH", with_first(&self.native, "LD_LIBRARY_PATH"))
            .env("PATH", with_first(&self.scripts.join("bin"), "PATH"));
        keep_compiled(&mut command, &self.packages);
        command
    }

    /// A command that runs taplo, the checker of TOML files in editors.
    pub fn taplo(&self) -> Command {
        Command::new(self.packages.join("bin/taplo"))
    }

    /// A command that couples two FMUs through an importer of the registry, as `tests/fmi-crates/importers` names it.
    pub fn importer(&self, name: &str) -> Command {
        let mut command = Command::new(self.fmi_crates.join(install::IMPORTERS));
        command.arg(name);
        command
    }

    /// The shared library of `tests/fmi-crates/lag`, an FMU of FMI 3.0 that `fmi-export` exports, and a command that prints its
    /// model description.
    pub fn exported_lag(&self) -> (PathBuf, Command) {
        (self.fmi_crates.join(install::LAG_LIBRARY), Command::new(self.fmi_crates.join(install::LAG)))
    }

    /// The shared library of the Python interpreter, which FMUs made by pythonfmu and pythonfmu3 expect in the process that loads
    /// them.
    ///
    /// # Errors
    /// What to install without one.
    pub fn libpython(&self) -> Result<PathBuf, String> {
        run(&mut self.script("libpython.py")).map(|path| PathBuf::from(path.trim()))
    }
}

/// Runs a command to its end and returns what it printed.
///
/// # Errors
/// The command with its output when it does not start or does not end with code 0.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?} does not start: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    Err(format!("{command:?} failed ({}):\n{printed}{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// Lets Python keep what it compiles in a folder of `environment`, whatever the variables of this process say: each module is
/// compiled once, and the folders of the scripts stay clean.
pub(crate) fn keep_compiled(command: &mut Command, environment: &Path) {
    command.env_remove("PYTHONDONTWRITEBYTECODE").env("PYTHONPYCACHEPREFIX", environment.join("compiled"));
}

/// The search path in the environment variable `name` with `first` in front.
fn with_first(first: &Path, name: &str) -> OsString {
    let mut path = OsString::from(first);
    if let Some(rest) = std::env::var_os(name).filter(|rest| !rest.is_empty()) {
        path.push(":");
        path.push(rest);
    }
    path
}
