//! New FMUs: one of the project, made by `cargo xtask new-fmu` in a copy of what it changes, and a crate of its own, made from
//! `templates/fmu`.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use fmi2::description::{ModelDescription, Strictness};
use fmu_package::{Package, Workspace};
use lotka::{Memory, System};
use tests::{program, root};

/// A folder of this name that cargo may keep between runs, so that the second run is quick.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// An FMU of a small model is smaller than this \[bytes\], and less crates are built for it and its packer.
const LARGEST: u64 = 400_000;
const MOST_CRATES: usize = 60;

/// Where all crates of authors are built, so that what they have in common is built once.
fn target() -> PathBuf {
    kept("authors")
}

fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(arguments).env("CARGO_TARGET_DIR", target()).env("CARGO_NET_OFFLINE", "true");
    // As an author builds it, even where the project itself is built in a hurry.
    let hurry = env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("CARGO_PROFILE_RELEASE_"));
    hurry.for_each(|name| _ = command.env_remove(name));
    let output = command.output().unwrap();
    assert!(output.status.success(), "cargo {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, target).map(drop).unwrap() }
    }
}

/// A workspace with the models and one FMU of the project, whose crates are those of the project.
fn workspace(name: &str) -> PathBuf {
    let folder = kept(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    for path in ["fmus/models", "fmus/prey"] {
        copy(&root().join(path), &folder.join(path));
    }
    fs::create_dir_all(folder.join("xtask/src")).unwrap();
    fs::create_dir(folder.join("tests")).unwrap();
    std::os::unix::fs::symlink(root().join("tests/reference"), folder.join("tests/reference")).unwrap();
    for path in ["Cargo.lock", "clippy.toml", "xtask/src/package_fmus.rs"] {
        fs::copy(root().join(path), folder.join(path)).unwrap();
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let rest = manifest.split_once("\n[workspace.package]").unwrap().1.split("\n[profile.").next().unwrap();
    let rest = rest.replace("path = \"crates/", &format!("path = \"{}/crates/", root().display()));
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [\"fmus/*\"]\n\n[workspace.package]{rest}");
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    folder
}

fn new_fmu(name: &str, workspace: &Path) -> Output {
    Command::new(program("xtask")).args(["new-fmu", name, "--root"]).arg(workspace).output().unwrap()
}

/// The step response of the model of the template: y = 1 - exp(-t / tau).
fn check_response(fmu: &Path) {
    let system = System::new().instance("a", fmu).start_value("a.u", 1.0).start_value("a.tau", 2.0).stop(4.0).step(0.5);
    let mut results = Memory::new();
    system.build().unwrap().run(&mut [&mut results]).unwrap();
    let y = results.real("a.y").unwrap();
    assert!(y.len() == 9 && (y[8] - (1.0 - (-2.0_f64).exp())).abs() < 1e-6, "{y:?}");
}

/// What was written has the form that the project wants.
fn check_form(workspace: &Path) {
    let read = |path: &str| fs::read_to_string(workspace.join(path)).unwrap();
    let list = "    Declared::of::<models::Expression>,\n    Declared::of::<models::WaterTank>,\n];\n";
    assert!(read("xtask/src/package_fmus.rs").contains(list));
    assert!(read("fmus/models/src/lib.rs").contains("mod van_der_pol;\nmod water_tank;\n"));
    let config = format!("--config-path={}", root().join("rustfmt.toml").display());
    for path in ["fmus/models/src/lib.rs", "fmus/models/src/water_tank.rs", "fmus/water-tank/src/lib.rs"] {
        let mut rustfmt = Command::new("rustfmt");
        let formatted = rustfmt.args(["--check", "--edition=2024", &config, path]).current_dir(workspace).output().unwrap();
        assert!(formatted.status.success(), "{}", String::from_utf8_lossy(&formatted.stdout));
    }
}

/// Packs the FMU of a workspace, with the description from a program that links the model. The library is that of a debug build,
/// which is there sooner.
fn pack(workspace: &Path, output: &Path) -> PathBuf {
    let found = Workspace::of(workspace).unwrap().cdylibs();
    assert!(found.iter().any(|cdylib| cdylib.target == "water_tank"), "{found:?}");
    let example = workspace.join("fmus/models/examples");
    fs::create_dir(&example).unwrap();
    let source = "fn main() { println!(\"{}\", fmu_sdk::description::<models::WaterTank>().to_xml()) }\n";
    fs::write(example.join("describe.rs"), source).unwrap();
    let xml = cargo(workspace, &["run", "--quiet", "-p", "models", "--example", "describe"]);
    let description = ModelDescription::read(xml.as_bytes(), Strictness::Strict).unwrap().description;
    cargo(workspace, &["build", "--quiet", "-p", "water-tank"]);
    Package::new(description, target().join("debug/libwater_tank.so")).write_to(output).unwrap().path
}

#[test]
fn a_new_fmu_of_the_project_is_tested_packed_and_runs() {
    let workspace = workspace("new-fmu");
    let told = new_fmu("water-tank", &workspace);
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    assert!(String::from_utf8_lossy(&told.stdout).contains("cargo xtask package-fmus --only water_tank"));
    check_form(&workspace);
    let tested = cargo(&workspace, &["test", "--quiet", "-p", "models", "--lib", "water_tank"]);
    assert!(tested.contains("test result: ok. 1 passed"), "{tested}");
    let output = tempfile::tempdir().unwrap();
    check_response(&pack(&workspace, output.path()));
}

#[test]
fn names_that_cannot_be_are_refused_and_nothing_is_written() {
    let workspace = workspace("no-new-fmu");
    let listing = || Command::new("find").arg(&workspace).args(["-printf", "%p %s\n"]).output().unwrap().stdout;
    let before = listing();
    for (name, reason) in [
        ("WaterTank", "lower-case letters"),
        ("water_tank", "lower-case letters"),
        ("1tank", "lower-case letters"),
        ("tank-", "lower-case letters"),
        ("", "lower-case letters"),
        ("loop", "is a keyword of Rust"),
        ("input", "already uses the name `Input`"),
        ("equation", "already uses the name `Equation`"),
        ("prey", "fmus/prey already exists"),
        ("models", "fmus/models already exists"),
        ("growth", "fmus/models/src/growth.rs already exists"),
        ("mechanics", "fmus/models/src/mechanics already exists"),
        ("lotka", "Cargo.lock already has a package `lotka`"),
        ("sprung", "fmus/models already has a model `Sprung`"),
    ] {
        let output = new_fmu(name, &workspace);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && told.contains(reason), "{name}: {told}");
    }
    assert_eq!(listing(), before);
}

/// The template, filled in as cargo-generate does it, for the name `water-tank`.
fn from_template(folder: &Path) {
    let values = [
        ("{{project-name | upper_camel_case}}", "WaterTank"),
        ("{{project-name}}", "water-tank"),
        ("{{crate_name}}", "water_tank"),
        ("{{lotka}}", root().to_str().unwrap()),
    ]
    .map(|(placeholder, value)| (placeholder, value.to_owned()));
    for file in
        ["Cargo.toml", "README.md", ".gitignore", "src/lib.rs", "examples/pack.rs", "package/documentation/equations.html"]
    {
        let text = fs::read_to_string(root().join("templates/fmu").join(file)).unwrap();
        let text = values.iter().fold(text, |text, (placeholder, value)| text.replace(placeholder, value));
        assert!(!text.contains("{{") && !text.contains("{%"), "{file} has a placeholder that is not filled in:\n{text}");
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
}

#[test]
fn a_crate_from_the_template_packs_an_fmu_that_runs() {
    let folder = kept("from-template");
    from_template(&folder);
    let output = tempfile::tempdir().unwrap();
    let told = cargo(&folder, &["run", "--quiet", "--example", "pack", "--", "--output", output.path().to_str().unwrap()]);
    assert!(told.contains("water_tank.fmu: 109 exported symbols"), "{told}");
    let fmu = output.path().join("water_tank.fmu");
    check_response(&fmu);
    let (size, crates) = (fs::metadata(&fmu).unwrap().len(), crates(&folder));
    assert!(size < LARGEST, "{size} bytes");
    assert!(crates.len() < MOST_CRATES, "{}: {crates:?}", crates.len());
    assert!(crates.contains("fmu-sdk") && crates.contains("water-tank"), "{crates:?}");
}

/// All crates that are compiled for a crate and its packer, that one included.
fn crates(folder: &Path) -> BTreeSet<String> {
    let tree = cargo(folder, &["tree", "--edges", "normal,build,dev", "--prefix", "none", "--format", "{p}"]);
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// What the template asks for is what the test fills in.
#[test]
fn the_template_asks_for_nothing_else() {
    let settings = fs::read_to_string(root().join("templates/fmu/cargo-generate.toml")).unwrap();
    let placeholders: Vec<_> = settings.lines().filter(|line| line.starts_with("[placeholders.")).collect();
    assert_eq!(placeholders, ["[placeholders.lotka]"]);
}
