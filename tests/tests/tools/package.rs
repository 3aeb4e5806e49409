//! Packing FMUs the way their authors do: the project itself with `cargo xtask package-fmus`, and somebody outside it with a
//! crate of the own and a one-line packer.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fmi2::description::{ModelDescription, Strictness};
use fmu_package::{GlibcVersion, Library, Workspace};
use tempfile::TempDir;
use tests::interop::Zig;

const MANIFEST: &str = r#"
[package]
name = "half-life"
version = "1.2.3"
edition = "2024"

[lib]
crate-type = ["cdylib", "rlib"]

[dependencies]
fmu-package = { path = "ROOT/crates/fmu-package" }
fmu-sdk = { path = "ROOT/crates/fmu-sdk" }
serde = { version = "1", features = ["derive"] }

[workspace]
"#;

const MODEL: &str = r#"
use fmu_sdk::{Declaration, Model, Refusal, Step};

#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub struct HalfLife {
    rate: f64,
    n: f64,
}

impl Default for HalfLife {
    fn default() -> Self {
        Self { rate: 0.5, n: 1.0 }
    }
}

impl Model for HalfLife {
    const NAME: &'static str = "half_life";
    const DESCRIPTION: &'static str = "Radioactive decay";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("rate", |m| &mut m.rate).unit("1/s");
        v.output("n", |m| &mut m.n).unit("1");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.n *= (-self.rate * step.h).exp();
        Ok(())
    }
}

fmu_sdk::export!(HalfLife);
"#;

const PACKER: &str = "fn main() -> std::process::ExitCode { fmu_package::main::<half_life::HalfLife>() }\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A folder of this name that cargo may keep between runs, so that the second run is quick.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(arguments).env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true");
    command.output().unwrap()
}

/// stdout of a command that must succeed.
fn succeed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The files of an FMU by name.
fn unpack(fmu: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut zip = zip::ZipArchive::new(fs::File::open(fmu).unwrap()).unwrap();
    let indices = 0..zip.len();
    let entry = |index| {
        let mut file = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut file, &mut bytes).unwrap();
        (file.name().unwrap().into_owned(), bytes)
    };
    indices.map(entry).collect()
}

/// What every FMU must hold, whoever packed it. Returns the page about it.
fn check_contents(fmu: &Path) -> String {
    let files = unpack(fmu);
    let identifier = fmu.file_stem().unwrap().to_str().unwrap();
    let reading = ModelDescription::read(&files["modelDescription.xml"], Strictness::Strict).unwrap();
    assert_eq!(reading.description.co_simulation.unwrap().interface.model_identifier, identifier);
    let bytes = &files[&format!("binaries/linux64/{identifier}.so")];
    assert!(!bytes.windows(8).any(|window| window == b".symtab\0"), "{identifier} is not stripped");
    let library = Library::inspect(bytes).unwrap();
    let [of_2, of_3] = [&fmi2::Function::ALL.map(fmi2::Function::symbol)[..], &fmi3::Function::ALL.map(fmi3::Function::symbol)];
    let mut wanted = [of_2, of_3].concat();
    wanted.sort_unstable();
    assert_eq!(library.exported, wanted);
    String::from_utf8(files["documentation/index.html"].clone()).unwrap()
}

/// Writes the author's project to its place and returns the folder.
fn outside_project() -> PathBuf {
    let folder = kept("half-life");
    fs::create_dir_all(folder.join("src/bin")).unwrap();
    fs::create_dir_all(folder.join("package/documentation")).unwrap();
    fs::write(folder.join("Cargo.toml"), MANIFEST.replace("ROOT", root().to_str().unwrap())).unwrap();
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    fs::write(folder.join("src/lib.rs"), MODEL).unwrap();
    fs::write(folder.join("src/bin/pack.rs"), PACKER).unwrap();
    fs::write(folder.join("package/documentation/equations.html"), "<p>n' = -rate n</p>").unwrap();
    fs::write(folder.join("LICENSE"), "do what you like").unwrap();
    folder
}

#[test]
fn an_author_outside_the_project_packs_with_one_line() {
    let folder = outside_project();
    let target = kept("authors");
    let told = succeed(&cargo(&folder, &target, &["run", "--quiet", "--bin", "pack"]));
    let fmu = target.join("fmus/half_life.fmu");
    assert!(told.starts_with(&format!("{}: 109 exported symbols, needs glibc 2.", fmu.display())), "{told}");
    let index = check_contents(&fmu);
    assert!(index.contains("<p>n' = -rate n</p>"), "{index}");
    assert!(index.contains("<td>rate</td><td>Real</td><td>parameter</td>"), "{index}");
    assert_eq!(unpack(&fmu)["documentation/licenses/license.txt"], b"do what you like");

    runs_on_old_systems_and_the_same(&fmu, &target);

    let refused = cargo(&folder, &target, &["run", "--quiet", "--bin", "pack", "--", "--outptu", "x"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("`--outptu`"));
}

/// Builds the model once more, with zig for glibc 2.17, and compares it with the FMU that the compiler of this system has linked.
fn runs_on_old_systems_and_the_same(fmu: &Path, target: &Path) {
    const OLD: GlibcVersion = GlibcVersion { major: 2, minor: 17, patch: 0 };
    // The packer would have to be built for the old system, too.
    let folder = kept("half-life-with-zig");
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest: String =
        MANIFEST.lines().filter(|line| !line.contains("fmu-package")).map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("Cargo.toml"), manifest.replace("ROOT", root().to_str().unwrap())).unwrap();
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    fs::write(folder.join("src/lib.rs"), MODEL).unwrap();
    fs::write(folder.join("LICENSE"), "do what you like").unwrap();
    let description = ModelDescription::read(&unpack(fmu)["modelDescription.xml"], Strictness::Strict).unwrap().description;

    let zig = Zig::find(&root()).unwrap_or_else(|error| panic!("{error}"));
    let workspace =
        Workspace::of(&folder).unwrap().for_glibc(Some(OLD)).env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true");
    let workspace = zig.variables().into_iter().fold(workspace, |workspace, (name, value)| workspace.env(name, value));
    let own = workspace.cdylibs().remove(0);
    let output = TempDir::new().unwrap();
    let packed = workspace.pack(&[(own, description.into())], output.path()).unwrap().remove(0);
    assert!(packed.glibc.is_some_and(|glibc| glibc <= OLD), "{packed}");
    check_contents(&packed.path);
    let library = output.path().join("half_life.so");
    fs::write(&library, &unpack(&packed.path)["binaries/linux64/half_life.so"]).unwrap();
    assert!(newest_glibc(&library) <= OLD);

    let run = |fmu: &Path| {
        let mut results = lotka::Memory::new();
        let system = lotka::System::new().instance("a", fmu).start_value("a.rate", 0.7).stop(5.0).step(0.25);
        system.build().unwrap().run(&mut [&mut results]).unwrap();
        results.real("a.n").unwrap().to_vec()
    };
    let (here, old) = (run(fmu), run(&packed.path));
    assert_eq!(here.len(), 21);
    assert!((here[20] - (-3.5_f64).exp()).abs() < 1e-12, "{here:?}");
    assert_eq!(here.iter().map(|n| n.to_bits()).collect::<Vec<_>>(), old.iter().map(|n| n.to_bits()).collect::<Vec<_>>());
}

/// The newest version of the C library that a library names, by readelf.
fn newest_glibc(library: &Path) -> GlibcVersion {
    let output = Command::new("readelf").args(["--version-info", "--wide"]).arg(library).output().unwrap();
    let text = succeed(&output);
    let versions = text.split_whitespace().filter_map(|word| word.strip_prefix("GLIBC_")?.parse().ok());
    versions.max().unwrap_or_else(|| panic!("no versions: {text}"))
}

/// The task runner, built; and the target folder it was built in.
pub fn xtask() -> (PathBuf, PathBuf) {
    let target = kept("").parent().unwrap().to_owned();
    succeed(&cargo(&root(), &target, &["build", "--quiet", "--workspace", "--bin", "xtask"]));
    (target.join("debug/xtask"), target)
}

/// Packs the FMUs of the project, or only some, built in this target folder. Returns what was told, and the bytes of each file.
fn package_fmus(xtask: &Path, target: &Path, only: &[&str]) -> (String, BTreeMap<PathBuf, Vec<u8>>) {
    let output = TempDir::new().unwrap();
    let mut command = Command::new(xtask);
    command.args(["package-fmus", "--output"]).arg(output.path()).args(only.iter().flat_map(|name| ["--only", *name]));
    let told = succeed(&command.env("CARGO_TARGET_DIR", target).env("CARGO", env!("CARGO")).output().unwrap());
    let paths: Vec<_> = fs::read_dir(output.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    for path in &paths {
        assert!(check_contents(path).contains("<h2>Equations</h2>"), "{}", path.display());
        let files = unpack(path);
        assert!(files.contains_key("model.png"), "{}", path.display());
        assert!(files.contains_key("documentation/licenses/license.txt"), "{}", path.display());
        assert!(told.contains(&format!("{}: 109 exported symbols, needs glibc 2.", path.display())), "{told}");
    }
    let file = |path: PathBuf| (path.file_name().unwrap().into(), fs::read(&path).unwrap());
    (told, paths.into_iter().map(file).collect())
}

/// Another target folder, with the crates of others as they were built for this one: to build them once more takes minutes. All
/// that is the project's is built anew.
fn elsewhere(target: &Path) -> PathBuf {
    let elsewhere = kept("package-fmus");
    let release = elsewhere.join("release");
    let _ = fs::remove_dir_all(&elsewhere);
    fs::create_dir_all(&release).unwrap();
    let parts = ["deps", "build", ".fingerprint"].map(|part| target.join("release").join(part));
    // With the times, by which cargo knows what is new.
    assert!(Command::new("cp").arg("-a").args(parts).arg(&release).status().unwrap().success());
    succeed(&cargo(&root(), &elsewhere, &["clean", "--quiet", "--release", "-p", "fmi2", "-p", "fmu-sdk", "-p", "models"]));
    elsewhere
}

#[test]
fn the_fmus_of_the_project_are_the_same_bytes_whenever_and_wherever_they_are_built() {
    let (xtask, target) = xtask();
    let (told, first) = package_fmus(&xtask, &target, &[]);
    assert_eq!(told.lines().count(), first.len());
    let names: Vec<_> = first.keys().map(|name| name.to_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "bouncing_ball.fmu",
            "circle.fmu",
            "expression.fmu",
            "heat_rod.fmu",
            "mass.fmu",
            "population.fmu",
            "predation.fmu",
            "predator.fmu",
            "predator_prey.fmu",
            "prey.fmu",
            "reproduction.fmu",
            "species.fmu",
            "sprung_mass.fmu",
            "sprung_mass_force.fmu",
            "starvation.fmu",
            "stiff.fmu",
            "three_species.fmu",
            "two_state_ode.fmu",
            "two_state_plant.fmu",
            "two_state_switch.fmu",
            "van_der_pol_position.fmu",
            "van_der_pol_velocity.fmu"
        ]
    );
    // One of each kind: with a closed form, with an integrator, with a formula.
    let (_, second) = package_fmus(&xtask, &elsewhere(&target), &["prey", "circle", "expression"]);
    assert_eq!(second.len(), 3);
    for (name, bytes) in &second {
        assert!(first[name] == *bytes, "{} differs", name.display());
    }
}
