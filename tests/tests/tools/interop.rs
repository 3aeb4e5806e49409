//! Our FMUs in the tools of others, and FMUs of others in our master.
//!
//! Needs the tools that `tests::interop::prepare` installs and the FMUs that `cargo xtask package-fmus` makes, in `target/fmus`
//! or in the directory `$LOTKA_FMUS`. What is missing fails the test with a sentence.

mod ecco;
mod exporters;
mod importers;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use lotka::{ComparisonSettings, Direction, Format, Memory, Observer, Results, System, Target, WriteOptions};
use models::BouncingBall;
use tests::interop::{Interop, run};
use tests::{joined, systems::machines};

/// Communication step size \[s\] and number of steps of all coupled runs: to t = 100 s.
const STEP: f64 = 0.1;
const STEPS: usize = 1000;

/// Two runs are the same when all values agree to this relative difference.
const SAME: f64 = 1e-12;

/// Time \[s\], prey, predators.
type Row = [f64; 3];

#[test]
fn fmpy_finds_nothing_wrong_with_our_fmus() {
    run(interop().script("fmpy_validate.py").args(all_fmus())).unwrap();
}

#[test]
fn fmutool_finds_nothing_wrong_with_our_fmus() {
    run(interop().script("fmutool_check.py").args(all_fmus())).unwrap();
}

#[test]
fn a_loop_around_fmpy_gives_our_numbers() {
    assert_same(&coupled_by(interop().script("fmpy_loop.py")), &our_jacobi());
}

#[test]
fn fmpy_runs_our_fmus_of_fmi_3_with_events_and_structural_parameters() {
    run(interop().script("fmpy_fmi3.py").arg(fmu_dir().join("fmi3"))).unwrap();
}

#[test]
fn both_versions_of_our_fmus_have_the_same_numbers_to_the_bit() {
    let of = |pair: [PathBuf; 2]| coupled_pair(interop().script("fmpy_loop.py"), pair);
    assert_eq!(of(pair_of_fmi3()), of(pair()));
}

#[test]
fn ecos_gives_our_numbers() {
    assert_same(&coupled_by(interop().script("ecos_run.py")), &our_jacobi());
}

#[test]
fn libcosim_gives_our_numbers() {
    assert_same(&coupled_by(interop().script("libcosim_run.py")), &our_jacobi());
}

#[test]
fn our_numbers_are_those_of_the_formula() {
    let (a, b, c, d) = (0.1, 0.02, 0.4, 0.02);
    let (mut x, mut y) = (10.0_f64, 10.0_f64);
    let mut rows = vec![[0.0, x, y]];
    for n in 1..=STEPS {
        (x, y) = (x * ((a - b * y) * STEP).exp(), y * ((d * x - c) * STEP).exp());
        rows.push([n as f64 * STEP, x, y]);
    }
    assert_same(&our_jacobi(), &rows);
}

#[test]
fn a_package_of_ours_runs_in_ecos_and_libcosim_with_our_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let package = package(dir.path());
    let rows = |command: &mut Command| parsed(&run(command).unwrap());
    let interop = interop();
    let mut ecos = interop.script("ecos_ssp.py");
    assert_same(&rows(ecos.arg(&package).arg(STEP.to_string()).arg(STEPS.to_string())), &our_jacobi());
    let mut libcosim = interop.script("libcosim_ssp.py");
    assert_same(&rows(libcosim.arg(&package).arg(STEPS.to_string())), &our_jacobi());
    let ours = System::from_file(&package).unwrap();
    assert_same(&recorded(ours, ["prey.x", "predator.y"]), &our_jacobi());
}

#[test]
fn a_package_of_ours_that_others_made_an_fmu_of_runs_in_our_master() {
    let dir = tempfile::tempdir().unwrap();
    let package = package(dir.path());
    run(interop().script("make_container_of_ssp.py").arg(&package).arg(STEP.to_string()).current_dir(dir.path())).unwrap();
    let system = System::new().instance("container", package.with_extension("fmu"));
    assert_same(&recorded(system, ["container.x", "container.y"]), &our_jacobi());
}

/// Every system of the examples becomes a description that the schemas of SSP accept, and means the same when it is read back.
#[test]
fn the_systems_of_the_examples_become_valid_descriptions_that_mean_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let mut written = Vec::new();
    for (number, path) in systems_of_examples().into_iter().enumerate() {
        let system = with_packed_fmus(&path);
        let description = dir.path().join(format!("{number}.ssd"));
        system.save(&description).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let read = System::from_file(&description).unwrap();
        assert_eq!(meaning(&read), meaning(&system), "{}", path.display());
        let toml = dir.path().join(format!("{number}.toml"));
        read.save(&toml).unwrap();
        assert_eq!(meaning(&System::from_file(&toml).unwrap()), meaning(&system), "{}", path.display());
        written.push(description);
    }
    assert!(written.len() > 30, "{}", written.len());
    run(interop().script("ssp_validate.py").args(written)).unwrap();
}

/// All settings of a system but the paths of FMUs and tables, which depend on where it is written.
fn meaning(system: &System) -> serde_json::Value {
    let manifest = system.manifest();
    assert!(manifest.is_complete);
    let mut settings = serde_json::to_value(manifest.settings).unwrap();
    settings["units"] = serde_json::Value::Null;
    for instance in settings["instances"].as_array_mut().unwrap() {
        instance["fmu"] = serde_json::Value::Null;
    }
    for source in settings["sources"].as_array_mut().unwrap() {
        source["path"] = serde_json::Value::Null;
    }
    settings
}

fn systems_of_examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let folders = root.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>());
    let mut systems: Vec<_> = files.filter(|path| is_system(path)).collect();
    systems.sort();
    systems
}

fn is_system(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    name.ends_with(".toml") && !matches!(name, "expected.toml" | "Cargo.toml")
}

/// A system of the examples with the FMUs of the tests.
fn with_packed_fmus(path: &Path) -> System {
    gallery::system_file(path, &fmu_dir()).unwrap()
}

/// Prey and predator with the steps of all runs, as a package.
fn package(folder: &Path) -> PathBuf {
    let [prey, predator] = pair();
    let system = System::new()
        .instance("prey", prey)
        .instance("predator", predator)
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x");
    let path = folder.join("predator_prey.ssp");
    system.sweep("jacobi").step(STEP).stop(STEP * STEPS as f64).save(&path).unwrap();
    path
}

#[test]
fn readers_of_results_in_python_find_the_same_rows_in_every_format() {
    let ball = System::new().instance_of("ball", &joined::<BouncingBall>()).stop(2.1).start_value("ball.impacts", "step_end");
    let ball = ball.step(0.1).event("ball.h", 0.0, Direction::Down);
    let dir = tempfile::tempdir().unwrap();
    let write = |(system, name): (System, &str)| {
        let files = ["csv", "parquet", "mat", "arrow"].map(|extension| dir.path().join(name).with_extension(extension));
        let mut sinks = files.each_ref().map(|path| {
            let target = Target::File(File::create(path).unwrap());
            Format::of_path(path).unwrap().writer(target, &WriteOptions::default()).unwrap()
        });
        let [csv, parquet, mat, arrow] = sinks.each_mut().map(|sink| &mut **sink as &mut dyn Observer);
        system.record(&["*"]).build().unwrap().run(&mut [csv, parquet, mat, arrow]).unwrap();
        sinks.into_iter().for_each(|sink| sink.finish().unwrap());
        files
    };
    let files = [(machines().step(0.01), "machines"), (ball, "ball")].map(write);
    let units = run(interop().script("read_results.py").args(files.as_flattened())).unwrap();
    for unit in [r#""first.w[1,2]": "rad/s""#, r#""ball.der(v)": "m/s2""#, r#""ball.n_impacts": null"#] {
        assert!(units.contains(unit), "no {unit}: {units}");
    }
    for [csv, .., arrow] in files {
        let ours = Results::open(csv).unwrap();
        for by in ["pyarrow", "pandas", "polars"] {
            let theirs = Results::open(arrow.with_extension(format!("arrow.{by}"))).unwrap();
            let found = lotka::compare(&ours, &theirs, &ComparisonSettings::default());
            assert!(found.is_equal() && found.variables.len() > 3, "{by}: {found:?}");
        }
    }
}

/// The run that all others are compared with: our master, each FMU stepping with what the other one was at the start of the step.
fn our_jacobi() -> Vec<Row> {
    jacobi_of(pair())
}

fn jacobi_of([prey, predator]: [PathBuf; 2]) -> Vec<Row> {
    let system = System::new()
        .instance("prey", prey)
        .instance("predator", predator)
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x")
        .sweep("jacobi");
    recorded(system, ["prey.x", "predator.y"])
}

/// Runs a system in our master.
fn recorded(system: System, names: [&str; 2]) -> Vec<Row> {
    let mut results = Memory::new();
    let mut simulation = system.step(STEP).stop(STEP * STEPS as f64).build().unwrap();
    simulation.run(&mut [&mut results]).unwrap();
    let [first, second] = names.map(|name| results.real(name).unwrap());
    results.time().iter().zip(first.iter().zip(second)).map(|(t, (a, b))| [*t, *a, *b]).collect()
}

/// What a tool prints that couples prey and predator.
fn coupled_by(tool: Command) -> Vec<Row> {
    coupled_pair(tool, pair())
}

/// The rows of a prey and a predator that a tool couples.
fn coupled_pair(mut tool: Command, pair: [PathBuf; 2]) -> Vec<Row> {
    let scratch = tempfile::tempdir().unwrap();
    let printed = run(tool.args(pair).args([STEP.to_string(), STEPS.to_string()]).env("TMPDIR", scratch.path())).unwrap();
    parsed(&printed)
}

/// The table that the scripts print.
fn parsed(printed: &str) -> Vec<Row> {
    let lines = printed.lines().skip_while(|line| *line != "time,prey.x,predator.y").skip(1);
    lines.map(row).collect()
}

fn row(line: &str) -> Row {
    let values: Vec<f64> = line.split(',').map(|value| value.parse().unwrap_or_else(|_| panic!("`{line}` is no row"))).collect();
    values.try_into().unwrap_or_else(|_| panic!("`{line}` is no row of three"))
}

/// Compares the rows after each step; a tool may leave out the row of the start.
fn assert_same(theirs: &[Row], ours: &[Row]) {
    assert!(theirs.len() >= STEPS && ours.len() > STEPS, "{} and {} rows", theirs.len(), ours.len());
    for (theirs, ours) in theirs.iter().rev().zip(ours.iter().rev()).take(STEPS) {
        assert!((theirs[0] - ours[0]).abs() < 1e-9, "times differ: {theirs:?} {ours:?}");
        for k in 1..3 {
            assert!((theirs[k] - ours[k]).abs() <= SAME * ours[k].abs(), "they differ: {theirs:?} {ours:?}");
        }
    }
}

fn interop() -> Interop {
    Interop::find(&root()).unwrap_or_else(|error| panic!("{error}"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn fmu_dir() -> PathBuf {
    std::env::var_os("LOTKA_FMUS").map_or_else(|| root().join("target/fmus"), PathBuf::from)
}

/// The FMUs of predator-prey, as absolute paths.
fn pair() -> [PathBuf; 2] {
    ["prey.fmu", "predator.fmu"].map(|name| {
        let path = fmu_dir().join(name);
        path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask package-fmus`", path.display()))
    })
}

/// The same of FMI 3.0.
fn pair_of_fmi3() -> [PathBuf; 2] {
    pair().map(|path| path.parent().unwrap().join("fmi3").join(path.file_name().unwrap()))
}

fn all_fmus() -> Vec<PathBuf> {
    let dir = fmu_dir();
    let entries =
        std::fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask package-fmus`", dir.display()));
    let fmus: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "fmu")).collect();
    assert!(!fmus.is_empty(), "no FMU in {}; run `cargo xtask package-fmus`", dir.display());
    fmus
}
