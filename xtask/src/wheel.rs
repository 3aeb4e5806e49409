//! `cargo xtask wheel`: makes the wheel of the Python package, with the command, the host program and some examples inside.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use lotka::System;
use test_setup::PythonPackage;

use crate::{TaskResult, cargo, examples, package_fmus, tools};

/// The programs in the wheel.
const PROGRAMS: [&str; 2] = ["lotka", "lotka-fmu-host"];

/// The examples in the wheel.
const EXAMPLES: [&str; 4] = ["bouncing-ball", "predator-prey", "two-mass-oscillator", "van-der-pol"];

/// How examples name the folder of FMUs, and how those in the wheel do.
const FMUS: [&str; 2] = ["../../target/fmus/", "../fmus/"];

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
    tools::require("wheel", &[tools::PYTHON, tools::VENV])?;
    println!("Installing maturin and what tests the package under target/python, if it is not there …");
    let package = PythonPackage::prepare(&root())?;
    let fmus = package_fmus::folder(None)?;
    println!("{}", make(&package, &arguments.profile, &fmus, arguments.output.as_deref())?.display());
    Ok(())
}

/// Makes the wheel in an environment that has maturin, and returns its path.
///
/// # Errors
/// A build failed, or a file cannot be copied.
pub fn make(package: &PythonPackage, profile: &str, fmus: &Path, output: Option<&Path>) -> TaskResult<PathBuf> {
    // The features of all crates, as the tests have them: what they have built is used.
    cargo(&["build", "--profile", profile, "--bin", PROGRAMS[0], "--bin", PROGRAMS[1]], &[])?;
    let target = fmus.parent().ok_or("the folder of FMUs is the root")?;
    let python = package.sources().join("python/lotka");
    let built = target.join(if profile == "dev" { "debug" } else { profile });
    copy_all(&python.join("_programs"), &PROGRAMS.map(|name| (built.join(name), name.to_owned())))?;
    add_examples(&python.join("_examples"), fmus)?;
    let output = output.map_or_else(|| target.join("wheels"), Path::to_owned);
    let mut maturin = package.program("maturin");
    let status = maturin.args(["build", "--quiet", "--locked", "--profile", profile, "--out"]).arg(&output).status()?;
    if !status.success() {
        return Err("maturin build failed".into());
    }
    newest_wheel(&output)
}

/// Writes the system files of the examples, and copies their FMUs into one folder beside them.
fn add_examples(folder: &Path, fmus: &Path) -> TaskResult {
    let mut needed = BTreeMap::new();
    for name in EXAMPLES {
        let path = examples().join(name).join("system.toml");
        let files = System::from_file(&path)?.fmu_files();
        let names = files.iter().filter_map(|(_, file)| Some(file.file_name()?.to_string_lossy().into_owned()));
        needed.extend(names.map(|name| (name.clone(), fmus.join(name))));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        copy_all(&folder.join(name), &[])?;
        crate::write(&folder.join(name).join("system.toml"), &packed(&text))?;
    }
    copy_all(&folder.join("fmus"), &needed.into_iter().map(|(name, file)| (file, name)).collect::<Vec<_>>())
}

/// The text of a system file in the wheel: its FMUs are beside it, and there is nothing to build.
fn packed(text: &str) -> String {
    let line = |line: &str| line.split(" Build the FMU").next().unwrap_or_default().replace(FMUS[0], FMUS[1]) + "\n";
    text.lines().map(line).collect()
}

/// Makes a folder that has these files alone, with other names.
fn copy_all(folder: &Path, files: &[(PathBuf, String)]) -> TaskResult {
    let failed = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed)?;
    }
    fs::create_dir_all(folder).map_err(failed)?;
    for (file, name) in files {
        fs::copy(file, folder.join(name)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// The wheel that was written last.
fn newest_wheel(folder: &Path) -> TaskResult<PathBuf> {
    let files = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten();
    let wheels = files.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "whl"));
    let newest = wheels.max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok());
    newest.map(|entry| entry.path()).ok_or_else(|| format!("{} has no wheel", folder.display()).into())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
