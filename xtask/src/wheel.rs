//! `cargo xtask wheel`: makes the wheel of the Python package, with the command, the host program and some examples inside.

use std::{
    fs,
    path::{Path, PathBuf},
};

use test_setup::PythonPackage;

use crate::{TaskResult, cargo, examples, package_fmus, tools};

/// The programs in the wheel.
const PROGRAMS: [&str; 2] = ["lotka", "lotka-fmu-host"];

/// The examples in the wheel, and their FMUs.
const EXAMPLES: [(&str, &[&str]); 4] = [
    ("bouncing-ball", &["bouncing_ball"]),
    ("predator-prey", &["prey", "predator"]),
    ("two-mass-oscillator", &["sprung_mass", "sprung_mass_force"]),
    ("van-der-pol", &["van_der_pol_position", "van_der_pol_velocity"]),
];

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
    let names: Vec<_> = EXAMPLES.iter().flat_map(|(_, fmus)| *fmus).copied().collect();
    let fmus = package_fmus::folder_with(None, &names)?;
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
    let names = EXAMPLES.iter().flat_map(|(_, fmus)| *fmus).map(|name| format!("{name}.fmu"));
    copy_all(&folder.join("fmus"), &names.map(|name| (fmus.join(&name), name)).collect::<Vec<_>>())?;
    for (name, _) in EXAMPLES {
        let system = examples().join(name).join("system.toml");
        let text = fs::read_to_string(&system).map_err(|error| format!("{}: {error}", system.display()))?;
        copy_all(&folder.join(name), &[])?;
        // The FMUs are there already.
        let lines = text.lines().filter(|line| !line.contains("cargo xtask package-fmus"));
        let text: String = lines.map(|line| line.replace(FMUS[0], FMUS[1]) + "\n").collect();
        crate::write(&folder.join(name).join("system.toml"), text.trim_start())?;
    }
    Ok(())
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
