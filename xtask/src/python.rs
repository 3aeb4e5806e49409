//! The tests of the Python package: pytest, mypy and stubtest on the wheel, installed in an environment of its own.

use std::path::Path;

use test_setup::PythonPackage;

use crate::{TaskResult, build::Build, package_fmus, succeed_beside, tools, wheel};

/// Installs what the tests need, packs the FMUs, and runs the tests.
///
/// # Errors
/// A program is not installed, or as for [`test()`].
pub fn prepare_and_test() -> TaskResult {
    tools::require("test --python", &[tools::C_COMPILER, tools::PYTHON, tools::VENV, tools::NM, tools::STRIP])?;
    println!("Installing what builds and tests the Python package under target/python, if it is not there …");
    let package = PythonPackage::prepare(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    let fmus = package_fmus::folder(None)?;
    install(&package, &Build::here("dev")?, &fmus)?;
    test(&package, &fmus)
}

/// Runs all tests of the wheel that is installed. Other tests can run at the same time.
///
/// # Errors
/// A test failed.
pub fn test(package: &PythonPackage, fmus: &Path) -> TaskResult {
    let python = |arguments: &[&str]| succeed_beside(package.program("python").arg("-m").args(arguments).env("LOTKA_FMUS", fmus));
    python(&["mypy"])?;
    python(&["mypy", "--strict", "tests", "benches"])?;
    python(&["mypy.stubtest", "lotka._lotka"])?;
    python(&["pytest", "--quiet", "-p", "no:cacheprovider", "tests"])
}

/// Makes the wheel, and installs it in the environment of the tests.
///
/// # Errors
/// It cannot be made or installed.
pub fn install(package: &PythonPackage, build: &Build, fmus: &Path) -> TaskResult {
    Ok(package.install(&wheel::make(package, build, &build.programs()?, fmus, &build.target.join("wheels"))?)?)
}
