//! Asks cargo where things are and has it build the libraries.
//!
//! Run by the cargo that runs the caller (`CARGO`); a caller's `CARGO_TARGET_DIR` holds.

use std::env::{self, consts::DLL_EXTENSION};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::{Declared, Error, GlibcVersion, Package, Packed, Result};

/// A cargo workspace, or a package that stands alone.
#[derive(Debug, Deserialize)]
pub struct Workspace {
    /// Folder of the root `Cargo.toml`.
    #[serde(rename = "workspace_root")]
    pub root: PathBuf,
    /// Where cargo builds.
    pub target_directory: PathBuf,
    packages: Vec<CargoPackage>,
    #[serde(skip)]
    glibc: Option<GlibcVersion>,
    #[serde(skip)]
    variables: Vec<(OsString, OsString)>,
}

#[derive(Debug, Deserialize)]
struct CargoPackage {
    id: String,
    name: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
    crate_types: Vec<String>,
}

/// A package of the workspace with a library that C programs can load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cdylib {
    /// Name of the package.
    pub package: String,
    /// Name of the library: the package name with underscores, unless the manifest says otherwise.
    pub target: String,
    /// Folder of the package's `Cargo.toml`.
    pub folder: PathBuf,
    id: String,
    /// It is a library for Rust programs, too, such as the packer of the FMU.
    is_rlib: bool,
}

/// A line of `cargo build --message-format=json`; only what finding the library needs.
#[derive(Deserialize)]
struct Message {
    reason: String,
    package_id: Option<String>,
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

impl Workspace {
    /// The workspace to which the package in `folder` belongs.
    ///
    /// # Errors
    /// [`Error::Cargo`] when cargo finds no valid manifest there.
    pub fn of(folder: &Path) -> Result<Self> {
        let mut command = cargo(folder);
        command.args(["metadata", "--no-deps", "--format-version=1"]);
        serde_json::from_slice(&output(command)?).map_err(|reason| Error::CargoReply { command: "cargo metadata", reason })
    }

    /// Builds for systems with this GNU C library or a newer one, with `cargo zigbuild`: <https://github.com/rust-cross/cargo-zigbuild>. What is
    /// packed is held against it.
    #[must_use]
    pub fn for_glibc(self, version: Option<GlibcVersion>) -> Self {
        Self { glibc: version, ..self }
    }

    /// Has cargo run with an environment variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Every package with a `cdylib`, in the order of cargo.
    #[must_use]
    pub fn cdylibs(&self) -> Vec<Cdylib> {
        let cdylib = |package: &CargoPackage| {
            let target = package.targets.iter().find(|target| target.is_cdylib())?;
            Some(Cdylib {
                package: package.name.clone(),
                target: target.name.clone(),
                folder: package.manifest_path.parent()?.to_owned(),
                id: package.id.clone(),
                is_rlib: target.crate_types.len() > 1,
            })
        };
        self.packages.iter().filter_map(cdylib).collect()
    }

    /// Builds the libraries of these crates with one call of cargo and packs each with its model, the files of
    /// [`Package::crate_files`] included, into the folder `output`.
    ///
    /// # Errors
    /// As [`Workspace::build`], [`Package::crate_files`] and [`Package::write_to`].
    pub fn pack(&self, crates: &[(Cdylib, Declared)], output: &Path) -> Result<Vec<Packed>> {
        let libraries = self.build(crates.iter().map(|(cdylib, _)| cdylib))?;
        let pack = |((cdylib, model), library): (&(Cdylib, Declared), PathBuf)| {
            let package = Package::new(model.clone(), library).crate_files(&cdylib.folder, &self.root)?;
            self.glibc.into_iter().fold(package, Package::oldest_glibc).write_to(output)
        };
        crates.iter().zip(libraries).map(pack).collect()
    }

    /// Where FMUs go unless somebody says otherwise: `fmus` in cargo's target folder.
    #[must_use]
    pub fn fmu_folder(&self) -> PathBuf {
        self.target_directory.join("fmus")
    }

    /// Builds libraries, in one call where cargo can: optimized as a whole, without symbol tables and with unwinding panics, which the kit catches
    /// at the border. Returns the paths of the libraries in the order of `cdylibs`. What cargo says goes to stderr. Link-time optimization and the
    /// number of codegen units can be set in the environment (`CARGO_PROFILE_RELEASE_LTO`, `CARGO_PROFILE_RELEASE_CODEGEN_UNITS`), for a build
    /// that takes less time.
    ///
    /// # Errors
    /// [`Error::Cargo`] when the build fails, [`Error::NoZigbuild`] when it needs what is not there, [`Error::NoLibrary`] when cargo names no library for a package.
    pub fn build<'a>(&self, cdylibs: impl Iterator<Item = &'a Cdylib> + Clone) -> Result<Vec<PathBuf>> {
        // Cargo optimizes no library as a whole that is made for Rust programs in the same go; `cargo rustc` can leave that one out, for one package.
        let is_apart = |cdylib: &&Cdylib| cdylib.is_rlib && self.glibc.is_none();
        let (apart, together): (Vec<_>, Vec<_>) = cdylibs.clone().partition(is_apart);
        let mut messages = Vec::new();
        if !together.is_empty() {
            let mut command = self.cargo_build()?;
            command.args(together.iter().flat_map(|cdylib| ["--package", &cdylib.id]));
            messages.extend(libraries(command)?);
        }
        for cdylib in apart {
            let mut command = self.cargo("rustc");
            command.args(["--package", &cdylib.id, "--crate-type", "cdylib"]);
            messages.extend(libraries(command)?);
        }
        cdylibs.map(|cdylib| library_of(cdylib, &messages)).collect()
    }

    /// `cargo build`, or what builds for an older C library.
    fn cargo_build(&self) -> Result<Command> {
        let Some(glibc) = self.glibc else { return Ok(self.cargo("build")) };
        let is_there = self.cargo("zigbuild").arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !is_there.is_ok_and(|status| status.success()) {
            return Err(Error::NoZigbuild { glibc });
        }
        let mut command = self.cargo("zigbuild");
        command.arg("--target").arg(format!("{ZIG_TARGET}.{glibc}"));
        Ok(command)
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let mut command = cargo(&self.root);
        command.envs(self.variables.iter().map(|(name, value)| (name, value))).arg(subcommand);
        command
    }
}

/// How libraries are optimized as a whole.
const OPTIMIZED: [(&str, &str); 2] = [("CARGO_PROFILE_RELEASE_LTO", "fat"), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")];

/// The target that FMUs are packed for.
const ZIG_TARGET: &str = "x86_64-unknown-linux-gnu";

impl Target {
    fn is_cdylib(&self) -> bool {
        self.crate_types.iter().any(|crate_type| crate_type == "cdylib")
    }
}

/// What cargo says about the libraries that a command builds.
fn libraries(mut command: Command) -> Result<Vec<Message>> {
    command.args(["--release", "--lib", "--message-format=json-render-diagnostics"]);
    command.env("CARGO_PROFILE_RELEASE_STRIP", "symbols").env("CARGO_PROFILE_RELEASE_PANIC", "unwind");
    command.envs(OPTIMIZED.into_iter().filter(|(name, _)| env::var_os(name).is_none()));
    let reply = output(command)?;
    let messages = serde_json::Deserializer::from_slice(&reply).into_iter().collect::<std::result::Result<_, _>>();
    messages.map_err(|reason| Error::CargoReply { command: "cargo build", reason })
}

fn library_of(cdylib: &Cdylib, messages: &[Message]) -> Result<PathBuf> {
    messages
        .iter()
        .filter(|message| message.reason == "compiler-artifact" && message.package_id.as_ref() == Some(&cdylib.id))
        .filter(|message| message.target.as_ref().is_some_and(Target::is_cdylib))
        .flat_map(|message| &message.filenames)
        .find(|path| path.extension().is_some_and(|extension| extension == DLL_EXTENSION))
        .cloned()
        .ok_or_else(|| Error::NoLibrary { package: cdylib.package.clone() })
}

fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).stderr(Stdio::inherit());
    command
}

fn output(mut command: Command) -> Result<Vec<u8>> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|reason| Error::CargoStart { command: shown.clone(), reason })?;
    if output.status.success() { Ok(output.stdout) } else { Err(Error::Cargo { command: shown, status: output.status }) }
}
