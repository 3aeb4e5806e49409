//! The virtual environment in which the Python package is built and tested, in `target/python`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::interop::{keep_compiled, python, run};

/// An environment with the pinned packages of `crates/lotka-python/tests/requirements.txt`.
#[derive(Debug, Clone)]
pub struct PythonPackage {
    root: PathBuf,
    folder: PathBuf,
}

impl PythonPackage {
    /// Installs the packages if they are not there, or not in these versions. Needs Python 3 with venv, and then the registry.
    ///
    /// # Errors
    /// The step that failed with what it printed.
    pub fn prepare(root: &Path) -> Result<Self, String> {
        let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
        let package = Self { folder: root.join("target/python"), root };
        let failed = |error| format!("{}: {error}", package.folder.display());
        let wanted =
            run(Command::new(python()).arg("--version"))? + &fs::read_to_string(package.requirements()).map_err(failed)?;
        let stamp = package.folder.join("installed.txt");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(package);
        }
        run(Command::new(python()).args(["-m", "venv", "--clear"]).arg(&package.folder))?;
        let requirements = package.requirements();
        package.pip(&["--no-deps", "--requirement"], &requirements)?;
        fs::write(stamp, wanted).map_err(failed)?;
        Ok(package)
    }

    /// Installs a wheel of the package, whatever was installed before.
    ///
    /// # Errors
    /// What pip printed.
    pub fn install(&self, wheel: &Path) -> Result<(), String> {
        self.pip(&["--no-deps", "--no-index", "--force-reinstall"], wheel)
    }

    /// A program of the environment.
    #[must_use]
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join("bin").join(name));
        command.env_remove("PYTHONPATH").current_dir(self.sources());
        keep_compiled(&mut command, &self.folder);
        command
    }

    /// The folder of the crate.
    #[must_use]
    pub fn sources(&self) -> PathBuf {
        self.root.join("crates/lotka-python")
    }

    fn requirements(&self) -> PathBuf {
        self.sources().join("tests/requirements.txt")
    }

    fn pip(&self, options: &[&str], what: &Path) -> Result<(), String> {
        let mut pip = self.program("python");
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]).args(options).arg(what);
        run(&mut pip).map(drop)
    }
}
