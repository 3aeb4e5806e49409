//! What programs, libraries and FMUs are built for, and with which settings.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use fmu_package::{GlibcVersion, Workspace};
use test_setup::interop::Zig;

use crate::{TaskResult, package_fmus, succeed, tools};

/// The systems that Lotka is built for.
pub const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The command, and the program in which isolated FMUs run.
pub const PROGRAMS: [&str; 2] = ["lotka", "lotka-fmu-host"];

/// The profile of Cargo for what users install.
pub const DIST: &str = "dist";

/// Settings of a build.
#[derive(Debug, Clone)]
pub struct Build {
    /// Profile of Cargo.
    pub profile: String,
    /// Oldest GNU C library; `None` for that of this system.
    pub glibc: Option<GlibcVersion>,
    /// Absolute path of Cargo's target folder.
    pub target: PathBuf,
    /// Paths of this machine, which nothing that is distributed may contain.
    pub private_paths: Vec<String>,
    variables: Vec<(OsString, OsString)>,
}

impl Build {
    /// A build for this system, in the target folder of all others.
    ///
    /// # Errors
    /// Cargo does not know the workspace.
    pub fn here(profile: &str) -> TaskResult<Self> {
        let workspace = package_fmus::workspace()?;
        let private_paths = vec![absolute(&workspace.root)?];
        Ok(Self {
            profile: profile.to_owned(),
            glibc: None,
            target: workspace.target_directory,
            private_paths,
            variables: vec![],
        })
    }

    /// A build for distribution. Its files contain no path of this machine, and it has a target folder of its own: Cargo would
    /// replace what it built there without these paths, and build it again for the next task.
    ///
    /// # Errors
    /// As for [`Build::here`].
    pub fn distributed() -> TaskResult<Self> {
        let mut build = Self::here(DIST)?;
        let root = absolute(&root())?;
        let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
        let home = absolute(&home.ok_or("no home folder")?)?;
        build.target.push(DIST);
        let target = build.target.display().to_string();
        let parts = [(format!("{home}/registry/src"), "crates"), (root, "lotka"), (target.clone(), "target")];
        let flags = parts.map(|(path, name)| format!("--remap-path-prefix={path}={name}"));
        build.set("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        build.set("CARGO_TARGET_DIR", build.target.clone());
        build.private_paths.extend([home, target]);
        Ok(build)
    }

    /// The same for systems with this GNU C library or a newer one. Installs zig for it, which is then the linker.
    ///
    /// # Errors
    /// A program that this needs is missing, or zig cannot be installed.
    pub fn for_glibc(mut self, task: &str, version: Option<GlibcVersion>) -> TaskResult<Self> {
        let Some(version) = version else { return Ok(self) };
        tools::require(task, &[tools::PYTHON, tools::PIP])?;
        println!("Installing zig under target/zig, if it is not there …");
        let zig = Zig::prepare(&package_fmus::workspace()?.root)?;
        zig.variables().into_iter().for_each(|(name, value)| self.set(name, value));
        self.glibc = Some(version);
        Ok(self)
    }

    fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.variables.push((name.into(), value.into()));
    }

    /// Returns a command with the environment of this build.
    pub fn environment(&self, mut command: Command) -> Command {
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Returns the workspace with the settings of this build, which packs FMUs.
    ///
    /// # Errors
    /// Cargo does not know the workspace.
    pub fn workspace(&self) -> TaskResult<Workspace> {
        let workspace = package_fmus::workspace()?.for_glibc(self.glibc);
        Ok(self.variables.iter().fold(workspace, |workspace, (name, value)| workspace.env(name, value)))
    }

    /// Returns the folder for FMUs. Those for an older C library do not replace the ones that tests and examples use.
    pub fn fmu_folder(&self) -> PathBuf {
        let name = self.glibc.map_or_else(|| "fmus".to_owned(), |version| format!("fmus-{version}"));
        self.target.join(name)
    }

    /// Builds the programs, without tables of symbols, and returns them in the order of [`PROGRAMS`].
    ///
    /// # Errors
    /// The build failed, or a program cannot be stripped.
    pub fn programs(&self) -> TaskResult<[Vec<u8>; 2]> {
        let mut command = self.environment(Command::new(env!("CARGO")));
        // The features of all crates, as the tests have them: what they have built is used.
        command.arg(if self.glibc.is_some() { "zigbuild" } else { "build" }).args(["--locked", "--profile", &self.profile]);
        command.args(PROGRAMS.iter().flat_map(|name| ["--bin", name]));
        if let Some(version) = self.glibc {
            command.args(["--target", &format!("{TARGET}.{version}")]);
        }
        succeed(command.current_dir(root()))?;
        let built = self.target.join(self.glibc.map_or("", |_| TARGET));
        let built = built.join(if self.profile == "dev" { "debug" } else { &self.profile });
        let [command, host] = PROGRAMS.map(|name| stripped(&built.join(name)));
        Ok([command?, host?])
    }
}

/// Returns the bytes of a program without symbols.
fn stripped(program: &Path) -> TaskResult<Vec<u8>> {
    let output = tempfile::NamedTempFile::new_in(program.parent().unwrap_or(program))?;
    succeed(Command::new("strip").arg("--strip-all").arg("-o").arg(output.path()).arg(program))?;
    Ok(fs::read(output.path())?)
}

fn absolute(path: &Path) -> TaskResult<String> {
    let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path.into_os_string().into_string().map_err(|path| format!("{}: not UTF-8", path.display()))?)
}

/// Returns the root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
