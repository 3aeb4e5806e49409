//! FMUs that the tools of others make, in our master: lags with a known answer, and containers of our own FMUs.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use fmu::{Fmu, InstantiateOptions, OpenOptions};
use lotka::{Memory, System};
use lotka_host::{HostOptions, HostedFmu, Sandbox};
use lotka_instance::{Experiment, Instance, RealRef};
use tests::host_program;
use tests::interop::{Interop, run};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Row, STEP, STEPS, assert_same, interop, jacobi_of, pair, pair_of_fmi3, recorded};

/// What the counter of the lag of FMI 3.0 starts at: no floating-point number holds it.
const COUNT: i128 = (1 << 53) + 1;

/// The scripts that make a lag in Python, and the FMUs that they make: of FMI 2.0 and 3.0.
const IN_PYTHON: [(&str, &str); 2] = [("make_pythonfmu.py", "Lag.fmu"), ("make_pythonfmu3.py", "Lag3.fmu")];

#[test]
fn fmus_made_by_pythonfmu_and_pythonfmu3_run_in_our_master() {
    for (script, file) in IN_PYTHON {
        let dir = tempfile::tempdir().unwrap();
        let interop = interop();
        let lag = Fmu::open_with(in_python(&interop, script, dir.path()).join(file), &with_python(&interop)).unwrap();
        assert_same(&recorded(chain_of(&lag), ["first.y", "second.y"]), &chain_of_lags());
    }
}

#[test]
fn integers_of_64_bits_of_an_fmu_made_by_pythonfmu3_are_exact() {
    let dir = tempfile::tempdir().unwrap();
    let interop = interop();
    let path = in_python(&interop, "make_pythonfmu3.py", dir.path()).join("Lag3.fmu");
    let lag = Fmu::open_with(path, &with_python(&interop)).unwrap();
    let mut results = Memory::new();
    chain_of(&lag).step(STEP).stop(STEP * STEPS as f64).build().unwrap().run(&mut [&mut results]).unwrap();
    let counted: Vec<i128> = (COUNT..=COUNT + STEPS as i128).collect();
    assert_eq!(results.integer("first.count").unwrap(), counted);
}

#[test]
fn fmus_made_by_pythonfmu_and_pythonfmu3_run_in_a_sandbox() {
    for (script, file) in IN_PYTHON {
        let dir = tempfile::tempdir().unwrap();
        let interop = interop();
        steps_in_a_sandbox(&interop, &in_python(&interop, script, dir.path()).join(file));
    }
}

#[test]
fn an_fmu_made_by_fmi_export_runs_in_our_master_and_in_a_sandbox() {
    let dir = tempfile::tempdir().unwrap();
    let path = made_by_fmi_export(dir.path());
    let lag = Fmu::open(&path).unwrap();
    let mut results = Memory::new();
    chain_of(&lag).step(STEP).stop(STEP * STEPS as f64).build().unwrap().run(&mut [&mut results]).unwrap();
    let counted: Vec<i128> = (0..=STEPS as i128).collect();
    assert_eq!(results.integer("second.n_steps").unwrap(), counted);
    assert_same(&recorded(chain_of(&lag), ["first.y", "second.y"]), &chain_of_lags());
    steps_in_a_sandbox(&interop(), &path);
}

/// Both versions of our FMUs in containers of both versions.
#[test]
fn containers_of_our_fmus_run_in_our_master() {
    for (container, fmus) in [("2", pair()), ("2", pair_of_fmi3()), ("3", pair()), ("3", pair_of_fmi3())] {
        let dir = tempfile::tempdir().unwrap();
        let mut make = interop().script("make_container.py");
        run(make.args(&fmus).args([&STEP.to_string(), container]).arg(dir.path()).current_dir(dir.path())).unwrap();
        let path = dir.path().join("container.fmu");
        assert_eq!(Fmu::open(&path).unwrap().description().fmi_version(), format!("{container}.0"));
        let system = System::new().instance("container", path);
        assert_same(&recorded(system, ["container.x", "container.y"]), &jacobi_of(fmus));
    }
}

/// Makes an FMU in Python and returns the folder.
fn in_python<'p>(interop: &Interop, script: &str, folder: &'p Path) -> &'p Path {
    run(interop.script(script).arg(folder)).unwrap();
    folder
}

/// Such FMUs expect the interpreter in the process that loads them.
fn with_python(interop: &Interop) -> OpenOptions {
    OpenOptions { preload_global: vec![interop.libpython().unwrap()], ..OpenOptions::default() }
}

/// Packs the library that `fmi-export` exports with the description that it makes, as its command `cargo fmi bundle` does.
fn made_by_fmi_export(folder: &Path) -> PathBuf {
    let (library, mut describe) = interop().exported_lag();
    let path = folder.join("lag.fmu");
    let mut archive = ZipWriter::new(File::create(&path).unwrap());
    let files = [
        ("modelDescription.xml", run(&mut describe).unwrap().into_bytes()),
        ("binaries/x86_64-linux/lag.so", std::fs::read(library).unwrap()),
    ];
    for (name, content) in files {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(&content).unwrap();
    }
    archive.finish().unwrap();
    path
}

/// Two lags in a row: the second one gets what the first one ended with.
fn chain_of(lag: &Fmu) -> System {
    let system = System::new().instance_of("first", lag).instance_of("second", lag).connect("second.u", "first.y");
    system.sweep("gauss-seidel")
}

/// Steps a lag in a process of its own, confined.
fn steps_in_a_sandbox(interop: &Interop, path: &Path) {
    let library = interop.libpython().unwrap();
    // The interpreter may be installed anywhere: PREFIX/lib/libpython.so, with its modules in PREFIX/lib.
    let read = vec![library.parent().unwrap().to_owned()];
    let options = HostOptions {
        program: Some(host_program()),
        preload_global: vec![library],
        sandbox: Some(Sandbox { read, ..Sandbox::default() }),
        ..HostOptions::default()
    };
    let lag = HostedFmu::open(path, options).unwrap();
    let y = lotka::instance::InstanceFactory::description(&lag)
        .variables
        .iter()
        .find(|variable| variable.name == "y")
        .unwrap()
        .value_reference;
    let mut instance = lag.instantiate("lag", &InstantiateOptions::default()).unwrap();
    instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    let (share, mut exact, mut output) = (1.0 - (-STEP / 2.0).exp(), 1.0, [0.0]);
    for n in 0..STEPS {
        instance.do_step(n as f64 * STEP, STEP, true).unwrap();
        instance.get_real(&[RealRef(y)], &mut output).unwrap();
        exact += -exact * share;
        assert_eq!(output, [exact], "step {n}");
    }
}

/// Two lags in a row, each exact for its input held constant over a step: the second one gets what the first one ended with.
fn chain_of_lags() -> Vec<Row> {
    let share = 1.0 - (-STEP / 2.0).exp();
    let (mut first, mut second) = (1.0, 1.0);
    let mut rows = vec![[0.0, first, second]];
    for n in 1..=STEPS {
        first -= first * share;
        second += (first - second) * share;
        rows.push([n as f64 * STEP, first, second]);
    }
    rows
}
