//! Saved states of the project's FMUs, joined statically and packed: what follows a rollback is the same to the last bit, in this
//! process and in another one.

use std::path::Path;
use std::process::Command;

use border::{joined, packed};
use fmu::{Fmu, InstantiateOptions};
use lotka_instance::conformance::ModelUnderTest;
use lotka_instance::{Experiment, Instance, Slot, StepOutcome};

/// Steps before a state is saved; so many more follow.
const STEPS: u32 = 400;

/// Where the other process finds the saved states.
const FOLDER: &str = "LOTKA_SAVED_STATES";

fn fmus() -> Vec<(String, Fmu)> {
    let joined = [joined::<models::Prey>(), joined::<models::Predator>(), joined::<models::PredatorPrey>()];
    let packed = ["prey", "predator", "predator_prey"].map(|name| (format!("{name}, packed"), Fmu::open(packed(name)).unwrap()));
    let joined = joined.map(|fmu| (format!("{}, joined", fmu.description().model_name()), fmu));
    joined.into_iter().chain(packed).collect()
}

/// An instance before its first step, with room for a saved state.
fn instantiate(fmu: &Fmu) -> (Box<dyn Instance>, Slot) {
    let mut instance = fmu.instantiate("it", &InstantiateOptions::default()).unwrap();
    let slot = instance.new_slot().unwrap();
    (instance, slot)
}

fn started(fmu: &Fmu) -> (Box<dyn Instance>, Slot) {
    let (mut instance, slot) = instantiate(fmu);
    instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    (instance, slot)
}

/// Size of step `n` \[s\]: exact in binary, so that times are, too.
fn size(n: u32) -> f64 {
    [0.125, 0.25, 0.0625][n as usize % 3]
}

/// Steps `from..to` of different sizes, with inputs that are polynomials. Returns all that can be read of the outputs.
fn walk(instance: &mut Box<dyn Instance>, fmu: &Fmu, from: u32, to: u32) -> Vec<u64> {
    let model = ModelUnderTest::new(&fmu.description().interface());
    let (inputs, outputs) = (model.input_references(), &model.real_outputs);
    let mut t = (0..from).map(size).sum();
    let mut seen = Vec::new();
    for n in from..to {
        let wave = (0.1 * f64::from(n)).sin();
        if !inputs.is_empty() {
            instance.set_real(&inputs, &vec![7.0 + 3.0 * wave; inputs.len()]).unwrap();
            for order in [1, 2] {
                instance.set_input_derivatives(&inputs, &vec![order; inputs.len()], &vec![wave; inputs.len()]).unwrap();
            }
        }
        assert_eq!(instance.do_step(t, size(n), false).unwrap(), StepOutcome::Complete);
        t += size(n);
        let mut values = vec![0.0; 3 * outputs.len()];
        let (plain, derivatives) = values.split_at_mut(outputs.len());
        instance.get_real(outputs, plain).unwrap();
        for (order, derivatives) in (1..).zip(derivatives.chunks_mut(outputs.len())) {
            instance.get_output_derivatives(outputs, &vec![order; outputs.len()], derivatives).unwrap();
        }
        seen.extend(values.into_iter().map(f64::to_bits));
    }
    seen
}

#[test]
fn after_a_rollback_everything_repeats_itself() {
    for (name, fmu) in fmus() {
        let (mut instance, slot) = started(&fmu);
        walk(&mut instance, &fmu, 0, STEPS);
        instance.save(slot).unwrap();
        let first = walk(&mut instance, &fmu, STEPS, 2 * STEPS);
        instance.restore(slot).unwrap();
        assert!(walk(&mut instance, &fmu, STEPS, 2 * STEPS) == first, "{name}");
        let (mut undisturbed, _) = started(&fmu);
        assert!(walk(&mut undisturbed, &fmu, 0, 2 * STEPS)[first.len()..] == first, "{name}: saving has an effect");
    }
}

/// This test is run twice: by the test runner, and by itself in another process that finds the states in a folder.
#[test]
fn a_state_serialized_in_one_process_goes_on_in_another() {
    match std::env::var_os(FOLDER) {
        None => hand_over(),
        Some(folder) => go_on(Path::new(&folder)),
    }
}

/// Serializes a state of each FMU, goes on, and expects another process to see the same.
fn hand_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut expected = Vec::new();
    for (name, fmu) in fmus() {
        let (mut instance, slot) = started(&fmu);
        walk(&mut instance, &fmu, 0, STEPS);
        instance.save(slot).unwrap();
        std::fs::write(folder.path().join(&name), instance.serialize(slot).unwrap()).unwrap();
        expected.push((name, format!("{:x?}", walk(&mut instance, &fmu, STEPS, 2 * STEPS))));
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "rollback::a_state_serialized_in_one_process_goes_on_in_another"])
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    for (name, expected) in expected {
        let seen = std::fs::read_to_string(folder.path().join(format!("{name}, seen"))).unwrap();
        assert!(seen == expected, "{name}");
    }
}

/// Restores the states in the folder and writes what follows beside them. No instance here was ever initialized.
fn go_on(folder: &Path) {
    for (name, fmu) in fmus() {
        let (mut instance, slot) = instantiate(&fmu);
        instance.deserialize(slot, &std::fs::read(folder.join(&name)).unwrap()).unwrap();
        instance.restore(slot).unwrap();
        let seen = walk(&mut instance, &fmu, STEPS, 2 * STEPS);
        std::fs::write(folder.join(format!("{name}, seen")), format!("{seen:x?}")).unwrap();
    }
}
