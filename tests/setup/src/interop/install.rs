//! Installs the tools into `target/interop`, once per set of pinned versions.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Interop, run};

/// The library that ecos needs and does not bring.
const NATIVE_LIBRARY: &str = "libtbb.so.12";

/// What the workspace `tests/fmi-crates` builds.
pub(super) const IMPORTERS: &str = "importers";
pub(super) const LAG: &str = "lag";
pub(super) const LAG_LIBRARY: &str = "liblag.so";

/// Installs the pinned tools where they are missing or of other versions, and builds `tests/fmi-crates`.
/// Needs Python 3 with pip, a C compiler and, when there is something to install, the registries.
///
/// # Errors
/// The step that failed with what it printed.
pub fn prepare(root: &Path) -> Result<Interop, String> {
    let places = Places::new(root);
    if !places.is_current() {
        places.install_packages()?;
        std::fs::write(&places.stamp, places.wanted()?).map_err(|error| format!("{}: {error}", places.stamp.display()))?;
    }
    places.build_fmi_crates()?;
    places.interop()
}

/// The Python interpreter: `$PYTHON`, else `python3`.
pub fn python() -> OsString {
    std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into())
}

/// Where everything is.
pub(super) struct Places {
    sources: PathBuf,
    scripts: PathBuf,
    packages: PathBuf,
    native: PathBuf,
    fmi_crates: PathBuf,
    stamp: PathBuf,
}

impl Places {
    pub(super) fn new(root: &Path) -> Self {
        let target = root.join("target/interop");
        Self {
            sources: root.join("tests/fmi-crates"),
            scripts: root.join("tests/interop"),
            packages: target.join("python"),
            native: target.join("native"),
            fmi_crates: target.join("fmi-crates"),
            stamp: target.join("installed.txt"),
        }
    }

    /// Whether the pinned versions are installed for this interpreter.
    pub(super) fn is_current(&self) -> bool {
        matches!((std::fs::read_to_string(&self.stamp), self.wanted()), (Ok(installed), Ok(wanted)) if installed == wanted)
    }

    pub(super) fn not_installed(&self) -> String {
        format!(
            "the tools for interop tests are not installed in {}: run `cargo xtask test`, which installs them, or call \
             `tests::interop::prepare`",
            self.packages.display()
        )
    }

    pub(super) fn interop(&self) -> Result<Interop, String> {
        let library = find_file(&self.native, NATIVE_LIBRARY).ok_or_else(|| self.not_installed())?;
        let fmi_crates = self.fmi_crates.join("debug");
        if ![IMPORTERS, LAG, LAG_LIBRARY].iter().all(|file| fmi_crates.join(file).is_file()) {
            return Err(self.not_installed());
        }
        let native = library.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Interop { scripts: self.scripts.clone(), packages: self.packages.clone(), native, fmi_crates })
    }

    /// What the stamp says when everything is in place: interpreter and pinned versions.
    fn wanted(&self) -> Result<String, String> {
        let read = |path: PathBuf| std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()));
        let version = run(Command::new(python()).arg("--version"))?;
        Ok(version + &read(self.requirements())? + &read(self.native_requirements())?)
    }

    fn requirements(&self) -> PathBuf {
        self.scripts.join("requirements.txt")
    }

    fn native_requirements(&self) -> PathBuf {
        self.scripts.join("native.txt")
    }

    fn install_packages(&self) -> Result<(), String> {
        for dir in [&self.packages, &self.native] {
            if dir.exists() {
                std::fs::remove_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
            }
        }
        pip("--target", &self.packages, &self.requirements())?;
        // `--target` leaves out data files, and the library of tbb is one.
        pip("--prefix", &self.native, &self.native_requirements())
    }

    /// `fmi` generates its bindings with libclang, which comes from PyPI and takes the compiler's headers from `cc`.
    fn build_fmi_crates(&self) -> Result<(), String> {
        let headers = run(Command::new("cc").arg("-print-file-name=include"))?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build
            .args(["build", "--locked", "--manifest-path"])
            .arg(self.sources.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&self.fmi_crates)
            .env("LIBCLANG_PATH", self.packages.join("clang/native"))
            .env("BINDGEN_EXTRA_CLANG_ARGS", format!("-I{}", headers.trim()))
            .env_remove("RUSTFLAGS");
        run(&mut build).map(drop)
    }
}

/// Installs what a requirements file names, and nothing beyond, into a directory.
pub(super) fn pip(option: &str, dir: &Path, requirements: &Path) -> Result<(), String> {
    let mut install = Command::new(python());
    install
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"])
        .arg(option)
        .arg(dir)
        .arg("--requirement")
        .arg(requirements)
        .env_remove("PYTHONPATH");
    run(&mut install).map(drop)
}

/// The first file of this name below `dir`.
fn find_file(dir: &Path, name: &str) -> Option<PathBuf> {
    let entries: Vec<PathBuf> = std::fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path()).collect();
    let here = entries.iter().find(|path| path.is_file() && path.file_name().is_some_and(|file| file == name)).cloned();
    here.or_else(|| entries.iter().filter(|path| path.is_dir()).find_map(|path| find_file(path, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_installation_the_error_says_how_to_get_one() {
        let root = tempfile::tempdir().unwrap();
        let error = Interop::find(root.path()).unwrap_err();
        assert!(error.contains("cargo xtask test"), "{error}");
    }

    #[test]
    fn a_failed_command_is_reported_with_its_output() {
        let error = run(Command::new("sh").args(["-c", "echo told; echo why >&2; exit 3"])).unwrap_err();
        assert!(error.contains("told\nwhy") && error.contains("exit status: 3"), "{error}");
    }
}
