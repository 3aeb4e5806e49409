//! The same models in both versions of FMI give the same rows.

use std::path::{Path, PathBuf};

use gallery::Example;
use lotka::{Fmu, Memory, System};
use tests::{couple, joined, joined_fmi3, packed};

/// A change of a system.
type Change = fn(System) -> System;

/// Prey and predators in both versions.
fn pairs() -> [(&'static str, Fmu, Fmu); 4] {
    let (prey, predator) = (joined::<models::Prey>(), joined::<models::Predator>());
    let (prey3, predator3) = (joined_fmi3::<models::Prey>(), joined_fmi3::<models::Predator>());
    [
        ("2.0 and 2.0", prey.clone(), predator.clone()),
        ("3.0 and 3.0", prey3.clone(), predator3.clone()),
        ("2.0 and 3.0", prey, predator3),
        ("3.0 and 2.0", prey3, predator),
    ]
}

/// All rows, and the number of steps of instances.
fn rows(system: System) -> (Vec<f64>, u64) {
    let mut memory = Memory::new();
    let report = system.stop(20.0).output_interval(0.5).build().unwrap().run(&mut [&mut memory]).unwrap();
    let values = |name: &str| memory.real(name).unwrap().to_vec();
    (["prey.x", "predator.y"].map(values).concat(), report.counters.n_do_step_calls)
}

/// Differences of results where inputs are polynomials: FMI 2.0 takes them as derivatives, FMI 3.0 as values during the step,
/// which are rounded in other places.
const ROUNDED: f64 = 1e-13;

#[test]
fn rows_are_those_of_fmi2_whatever_the_method() {
    let bitwise: [(&str, Change); 6] = [
        ("gauss-seidel", |system| system.step(0.1)),
        ("jacobi", |system| system.step(0.1).sweep("jacobi")),
        ("symmetric", |system| system.step(0.1).sweep("symmetric")),
        ("iterated", |system| system.step(0.1).iterations(20, None)),
        ("start values", |system| system.step(0.1).start_value("prey.x", 12.5).start_value("predator.c", 0.5)),
        ("held inputs", |system| system.step(0.25).input_degree(0)),
    ];
    let rounded: [(&str, Change); 2] =
        [("local tolerance", |system| system.local_tolerance(1e-4)), ("tolerance", |system| system.tolerance(1e-6))];
    let systems = bitwise.map(|(name, change)| (name, change, 0.0)).into_iter();
    for (name, change, allowed) in systems.chain(rounded.map(|(name, change)| (name, change, ROUNDED))) {
        let [(_, prey, predator), others @ ..] = pairs();
        let (expected, n_steps) = rows(change(couple(&prey, &predator)));
        for (versions, prey, predator) in others {
            let (values, n) = rows(change(couple(&prey, &predator)));
            assert_eq!((values.len(), n), (expected.len(), n_steps), "{name}: {versions}");
            for (value, expected) in values.iter().zip(&expected) {
                assert!((value - expected).abs() <= allowed * expected.abs(), "{name}, {versions}: {value} for {expected}");
            }
        }
    }
}

/// Folders with FMUs of FMI 3.0, and with every other one of FMI 2.0.
fn folders(scratch: &Path) -> [PathBuf; 2] {
    let two = packed("prey").parent().unwrap().to_owned();
    let three = two.join("fmi3");
    let mut names: Vec<_> = std::fs::read_dir(&three).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert!(names.len() > 15, "{names:?}");
    for (number, name) in names.iter().enumerate() {
        let from = if number % 2 == 0 { &two } else { &three };
        std::os::unix::fs::symlink(from.join(name), scratch.join(name)).unwrap();
    }
    [three, scratch.to_owned()]
}

/// A step that is refused leaves an FMU of FMI 3.0 in the state before it, so that this system, which shows where the last good
/// time is used, is of FMI 2.0.
const OF_FMI2: [(&str, &str); 1] = [("bouncing-ball", "discard.toml")];

/// FMI 2.0 has no structural parameters.
const OF_FMI3: &str = "heat-rod";

#[test]
fn every_example_has_its_expected_numbers_with_fmi3_and_mixed() {
    let scratch = tempfile::tempdir().unwrap();
    let mut all = Example::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")).unwrap();
    all.retain(|example| example.name != OF_FMI3);
    for folder in folders(scratch.path()) {
        for example in &all {
            for outcome in example.run(&folder).unwrap() {
                if OF_FMI2.contains(&(&example.name, &outcome.system)) {
                    continue;
                }
                let run = outcome.run.as_ref().map(|_| ());
                assert!(run.is_ok(), "{}/{}: {run:?}", example.name, outcome.system);
                for check in &outcome.checks {
                    assert!(check.is_met(), "{}/{} in {}: {check:?}", example.name, outcome.system, folder.display());
                }
            }
        }
    }
}
