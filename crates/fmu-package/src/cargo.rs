//! Queries cargo for paths and builds the libraries with it.
//!
//! Uses the cargo that runs the calling program (`CARGO`) and respects its `CARGO_TARGET_DIR`.

use std::env::{self, consts::DLL_EXTENSION};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::{Declared, Error, GlibcVersion, Package, Packed, Result};

/// A cargo workspace, or a package without a workspace.
#[derive(Debug, Deserialize)]
pub struct Workspace {
    /// Folder of the root `Cargo.toml`.
    #[serde(rename = "workspace_root")]
    pub root: PathBuf,
    /// Folder of cargo's build output.
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
    /// Name of the library: the package name with underscores, unless the manifest sets another one.
    pub target: String,
    /// Folder of the package's `Cargo.toml`.
    pub folder: PathBuf,
    id: String,
    /// Whether Rust programs can use the library as well, such as the packer of the FMU.
    is_rlib: bool,
}

/// A line of `cargo build --message-format=json`, reduced to the fields that locate the library.
#[derive(Deserialize)]
struct Message {
    reason: String,
    package_id: Option<String>,
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

impl Workspace {
    /// Returns the workspace that contains the package in `folder`.
    ///
    /// # Errors
    /// [`Error::Cargo`] if cargo finds no valid manifest there.
    pub fn of(folder: &Path) -> Result<Self> {
        let mut command = cargo(folder);
        command.args(["metadata", "--no-deps", "--format-version=1"]);
        serde_json::from_slice(&output(command)?).map_err(|reason| Error::CargoReply { command: "cargo metadata", reason })
    }

    /// Builds for systems with this GNU C library or a newer one, using `cargo zigbuild`:
    /// <https://github.com/rust-cross/cargo-zigbuild>. Packing then checks the libraries against this version.
    #[must_use]
    pub fn for_glibc(self, version: Option<GlibcVersion>) -> Self {
        Self { glibc: version, ..self }
    }

    /// Sets an environment variable for cargo.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Returns every package with a `cdylib`, in cargo's order.
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

    /// Builds the libraries of these crates with one cargo call, and packs each with its model and the files of
    /// [`Package::crate_files`] into the folder `output`.
    ///
    /// # Errors
    /// Those of [`Workspace::build`], [`Package::crate_files`] and [`Package::write_to`].
    pub fn pack(&self, crates: &[(Cdylib, Declared)], output: &Path) -> Result<Vec<Packed>> {
        let libraries = self.build(crates.iter().map(|(cdylib, _)| cdylib))?;
        let pack = |((cdylib, model), library): (&(Cdylib, Declared), PathBuf)| {
            let package = Package::new(model.clone(), library).crate_files(&cdylib.folder, &self.root)?;
            self.glibc.into_iter().fold(package, Package::oldest_glibc).write_to(output)
        };
        crates.iter().zip(libraries).map(pack).collect()
    }

    /// Returns the default folder for FMUs: `fmus` in cargo's target folder.
    #[must_use]
    pub fn fmu_folder(&self) -> PathBuf {
        self.target_directory.join("fmus")
    }

    /// Builds libraries, in one call where cargo allows it, and returns their paths in the order of `cdylibs`.
    ///
    /// The build uses whole-program optimization, no symbol tables, and unwinding panics, which the kit catches at the FFI
    /// boundary. Cargo's messages go to stderr. To build faster, set link-time optimization and the number of codegen units in
    /// the environment (`CARGO_PROFILE_RELEASE_LTO`, `CARGO_PROFILE_RELEASE_CODEGEN_UNITS`).
    ///
    /// # Errors
    /// [`Error::Cargo`] if the build fails, [`Error::NoZigbuild`] if it needs cargo-zigbuild and that is missing,
    /// [`Error::NoLibrary`] if cargo reports no library for a package.
    pub fn build<'a>(&self, cdylibs: impl Iterator<Item = &'a Cdylib> + Clone) -> Result<Vec<PathBuf>> {
        // Cargo applies no whole-program optimization to a library that it also builds for Rust programs. `cargo rustc` can skip
        // that one, for one package.
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

    /// Returns `cargo build`, or the command that builds for an older C library.
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

/// Environment variables for whole-program optimization.
const OPTIMIZED: [(&str, &str); 2] = [("CARGO_PROFILE_RELEASE_LTO", "fat"), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")];

/// Target triple of packed FMUs.
const ZIG_TARGET: &str = "x86_64-unknown-linux-gnu";

impl Target {
    fn is_cdylib(&self) -> bool {
        self.crate_types.iter().any(|crate_type| crate_type == "cdylib")
    }
}

/// Runs a build command and returns cargo's messages about the libraries.
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
