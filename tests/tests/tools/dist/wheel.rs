//! The wheel, installed in a new environment of a machine without compiler.

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

use tempfile::TempDir;
use tests::{interop::python, root};

use super::{alone, made, succeed};

/// Links numpy, with what pip knows about it, from the environment that the task has installed: no registry is needed.
fn link_numpy(packages: &Path) {
    let of_task = fs::read_dir(root().join("target/python/lib")).unwrap().next().unwrap().unwrap().path().join("site-packages");
    for entry in fs::read_dir(of_task).unwrap().map(Result::unwrap) {
        if entry.file_name().to_str().unwrap().starts_with("numpy") {
            symlink(entry.path(), packages.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn the_wheel_installs_without_compiler_and_has_a_first_result() {
    let folder = TempDir::new().unwrap();
    let environment = folder.path().join("environment");
    succeed(&Command::new(python()).args(["-m", "venv"]).arg(&environment).output().unwrap());
    let run = |program: &str, arguments: &[&str]| {
        let mut command = alone(environment.join("bin").join(program), folder.path());
        succeed(&command.args(arguments).current_dir(folder.path()).output().unwrap())
    };
    let packages = run("python", &["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]);
    link_numpy(Path::new(packages.trim()));
    let wheel = made(".whl");
    run("python", &["-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel.to_str().unwrap()]);
    let first = "import lotka; result = lotka.run(lotka.example('predator-prey')); print(len(result.time), result.reached)";
    assert_eq!(run("python", &["-c", first]).trim(), "101 True");
    let example = run("python", &["-c", "import lotka; print(lotka.example('predator-prey'))"]);
    run("lotka", &["run", example.trim(), "--isolate", "--output-file", "rows.csv"]);
    assert_eq!(fs::read_to_string(folder.path().join("rows.csv")).unwrap().lines().count(), 102);
    let licenses = run("python", &["-m", "pip", "show", "--files", "--disable-pip-version-check", "lotka"]);
    assert!(licenses.contains("licenses/THIRD-PARTY.txt"), "{licenses}");
}
