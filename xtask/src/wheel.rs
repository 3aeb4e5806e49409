//! `cargo xtask wheel`: makes the wheel of the Python package, with the command, the host program and some examples inside.

use std::{
    fs,
    path::{Path, PathBuf},
};

use test_setup::PythonPackage;

use crate::{
    TaskResult,
    build::{Build, PROGRAMS, TARGET, root},
    files::Files,
    package_fmus,
    packed_examples::packed,
    third_party, tools,
};

/// The examples in the wheel.
const EXAMPLES: [&str; 4] = ["bouncing-ball", "predator-prey", "two-mass-oscillator", "van-der-pol"];

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write the wheel here [default: wheels in the target folder of Cargo].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Build with this profile of Cargo.
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
}

/// Makes the wheel, and prints its path.
pub fn run(arguments: &Arguments) -> TaskResult {
    tools::require("wheel", &[tools::PYTHON, tools::VENV, tools::STRIP])?;
    println!("Installing maturin and what tests the package under target/python, if it is not there …");
    let package = PythonPackage::prepare(&root())?;
    let build = Build::here(&arguments.profile)?;
    let fmus = package_fmus::folder_of(&build)?;
    let output = arguments.output.clone().unwrap_or_else(|| build.target.join("wheels"));
    println!("{}", make(&package, &build, &build.programs()?, &fmus, &output)?.display());
    Ok(())
}

/// Makes the wheel in an environment that has maturin, and returns its path.
///
/// # Errors
/// A build failed, or a file cannot be copied.
pub fn make(package: &PythonPackage, build: &Build, programs: &[Vec<u8>; 2], fmus: &Path, output: &Path) -> TaskResult<PathBuf> {
    let python = package.sources().join("python/lotka");
    let mut inside = Files::default();
    PROGRAMS.iter().zip(programs).for_each(|(name, bytes)| inside.add_program(*name, bytes.clone()));
    inside.replace(&python.join("_programs"))?;
    packed(Some(&EXAMPLES), fmus)?.replace(&python.join("_examples"))?;
    crate::write(
        &package.sources().join(third_party::FILE),
        &third_party::text(&["lotka-cli", "lotka-host", "lotka-python", "models"])?,
    )?;
    let mut maturin = build.environment(package.program("maturin"));
    maturin.args(["build", "--quiet", "--locked", "--profile", &build.profile, "--out"]).arg(output);
    if build.profile == "dev" {
        // What the tests have compiled is used.
        maturin.args(["--features", "as-in-workspace"]);
    }
    if let Some(version) = build.glibc {
        let systems = format!("manylinux_{}_{}", version.major, version.minor);
        maturin.args(["--zig", "--target", TARGET, "--compatibility", &systems]);
    }
    let status = maturin.status()?;
    if !status.success() {
        return Err("maturin build failed".into());
    }
    newest_wheel(output)
}

/// The wheel that was written last.
fn newest_wheel(folder: &Path) -> TaskResult<PathBuf> {
    let files = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten();
    let wheels = files.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "whl"));
    let newest = wheels.max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok());
    newest.map(|entry| entry.path()).ok_or_else(|| format!("{} has no wheel", folder.display()).into())
}
