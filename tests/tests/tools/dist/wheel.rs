//! The wheel, installed in a new environment of a machine without compiler.

use std::{collections::BTreeSet, fs, os::unix::fs::symlink, path::Path, process::Command};

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

/// Crates of others, each with its version and features, that are compiled for these packages.
fn compiled(packages: &[&str]) -> BTreeSet<String> {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--locked", "--prefix", "none", "--format", "{p} {f}"]).args(packages).current_dir(root());
    let lines = succeed(&tree.output().unwrap());
    // A crate that was listed before is marked.
    let lines = lines.lines().map(|line| line.trim_end_matches(" (*)").trim_end());
    lines.filter(|line| !line.contains(" (/")).map(str::to_owned).collect()
}

/// To compile them once more takes minutes. A feature that is missing here is one more in the manifest of the package.
#[test]
fn the_wheel_of_tests_is_made_of_crates_that_are_compiled_for_them() {
    let of_wheel = compiled(&["--package", "lotka-python", "--features", "as-in-workspace", "--edges", "normal,build"]);
    let others: Vec<_> = of_wheel.difference(&compiled(&["--workspace"])).cloned().collect();
    assert_eq!(others, [""; 0]);
    let alone = compiled(&["--package", "lotka-python", "--edges", "normal,build"]);
    assert!(!alone.iter().any(|line| line.starts_with("zerofrom-derive ")), "a wheel for users has what it needs: {alone:?}");
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
