//! The importer with a model of the kit, joined without a library: every call between them, so that Miri sees both sides.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

#[allow(dead_code, reason = "of the references some are for other tests")]
#[path = "exported/model.rs"]
mod model;

use std::sync::{Arc, Mutex};

use fmu::{Fmu, InstantiateOptions};
use lotka_instance::{Cause, Experiment, Instance, IntegerRef, RealRef, Status, StepOutcome, StringRef};
use model::{Everything, integer, real};

fn fmu() -> Fmu {
    Fmu::from_functions(fmu_sdk::description::<Everything>(), fmu_sdk::functions::<Everything>())
}

/// At 0 s, ready to step.
fn started(fmu: &Fmu, options: &InstantiateOptions) -> Box<dyn Instance> {
    let mut instance = fmu.instantiate("it", options).unwrap();
    instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: Some(1e-6) }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    instance
}

fn y(instance: &mut Box<dyn Instance>) -> f64 {
    let mut values = [0.0];
    instance.get_real(&[RealRef(real::Y)], &mut values).unwrap();
    values[0]
}

#[test]
fn values_of_every_type_pass_both_ways() {
    let fmu = fmu();
    let mut instance = started(&fmu, &InstantiateOptions::default());
    instance.set_real(&[RealRef(real::U), RealRef(real::HELD)], &[3.0, 4.0]).unwrap();
    instance.set_integer(&[IntegerRef(integer::K)], &[5]).unwrap();
    instance.set_string(&[StringRef(1)], &["a text"]).unwrap();
    assert_eq!(instance.do_step(0.0, 0.5, true).unwrap(), StepOutcome::Complete);
    let (mut integers, mut strings) = ([0; 2], [String::new(), String::new()]);
    instance.get_integer(&[IntegerRef(integer::SUM), IntegerRef(integer::K)], &mut integers).unwrap();
    instance.get_string(&[StringRef(2), StringRef(1)], &mut strings).unwrap();
    assert_eq!((y(&mut instance), integers, strings), (10.5, [8, 5], ["l: a text at 0.5".to_owned(), "a text".to_owned()]));
    instance.terminate().unwrap();
    instance.reset().unwrap();
}

#[test]
fn states_are_saved_restored_and_written_as_bytes() {
    let fmu = fmu();
    let (mut one, mut other) = (started(&fmu, &InstantiateOptions::default()), started(&fmu, &InstantiateOptions::default()));
    let slot = one.new_slot().unwrap();
    one.save(slot).unwrap();
    one.do_step(0.0, 0.5, false).unwrap();
    let moved = y(&mut one);
    let bytes = one.serialize(slot).unwrap();
    one.restore(slot).unwrap();
    one.do_step(0.0, 0.5, false).unwrap();
    assert_eq!(y(&mut one).to_bits(), moved.to_bits());
    let there = other.new_slot().unwrap();
    other.deserialize(there, &bytes).unwrap();
    other.restore(there).unwrap();
    one.free_slot(slot).unwrap();
    drop(one);
    other.do_step(0.0, 0.5, false).unwrap();
    assert_eq!(y(&mut other).to_bits(), moved.to_bits());
}

#[test]
fn derivatives_and_bound_steps_pass() {
    let fmu = fmu();
    let mut instance = started(&fmu, &InstantiateOptions::default());
    let refused = instance.set_input_derivatives(&[RealRef(real::U)], &[1], &[2.0]).unwrap_err();
    assert_eq!(refused.cause, Cause::Unsupported, "`held` cannot be interpolated");
    instance.bind(&[RealRef(real::U)], &[RealRef(real::Z), RealRef(real::Y)]).unwrap();
    let mut outputs = [0.0; 2];
    assert_eq!(instance.step(&[1.0], 0.0, 0.5, true, &mut outputs).unwrap(), StepOutcome::Complete);
    let mut slopes = [0.0];
    instance.get_output_derivatives(&[RealRef(real::Z)], &[1], &mut slopes).unwrap();
    assert_eq!(slopes, [2.0]);
    assert!(outputs[1] > outputs[0]);
}

#[test]
fn failures_and_panics_come_with_what_was_logged() {
    let fmu = fmu();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = lines.clone();
    let options = InstantiateOptions { log: Some(Arc::new(move |line| sink.lock().unwrap().push(line))), ..Default::default() };
    let mut instance = started(&fmu, &options);
    let slot = instance.new_slot().unwrap();
    instance.save(slot).unwrap();
    for (fault, part) in [(1, "panicked: a fault was asked for"), (3, "nothing goes any more")] {
        instance.set_integer(&[IntegerRef(integer::FAULT)], &[fault]).unwrap();
        let error = instance.do_step(0.0, 0.5, false).unwrap_err();
        assert!(error.log.last().unwrap().contains(part), "{error}");
        instance.restore(slot).unwrap();
    }
    instance.set_integer(&[IntegerRef(integer::FAULT)], &[5]).unwrap();
    let StepOutcome::Discarded(discard) = instance.do_step(0.0, 0.5, false).unwrap() else { panic!("the step was made") };
    assert_eq!(discard.last_successful_time, Some(0.125));
    drop(instance);
    let lines = lines.lock().unwrap();
    assert!(lines.iter().any(|line| line.status == Some(Status::Error) && line.instance == "it"), "{lines:?}");
}

#[test]
fn instances_run_on_threads_at_the_same_time() {
    let fmu = fmu();
    let run = |u: f64| {
        let mut instance = started(&fmu, &InstantiateOptions::default());
        instance.set_real(&[RealRef(real::U)], &[u]).unwrap();
        (0..3).for_each(|n| drop(instance.do_step(f64::from(n) * 0.5, 0.5, true).unwrap()));
        y(&mut instance)
    };
    let alone = [run(1.0), run(2.0)];
    let together = std::thread::scope(|scope| {
        let run = &run;
        let [one, two] = [1.0, 2.0].map(|u| scope.spawn(move || run(u)));
        [one.join().unwrap(), two.join().unwrap()]
    });
    assert_eq!(alone, together);
}
