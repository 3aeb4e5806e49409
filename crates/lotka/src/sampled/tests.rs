//! A sampled instance behaves like others.

use std::sync::Arc;

use fmu::Fmu;
use lotka_instance::{
    Instance, InstanceFactory, InstantiateOptions, Phase,
    conformance::{self, ModelUnderTest},
};

use super::{SampleTimes, Sampled};

fn sampled(every: f64) -> Arc<dyn InstanceFactory> {
    let fmu = Fmu::from_functions(fmu_sdk::description::<models::PredatorPrey>(), fmu_sdk::functions::<models::PredatorPrey>());
    Sampled::wrap(Arc::new(fmu), Some(SampleTimes { every, slack: 1e-9 }))
}

fn instance(factory: &dyn InstanceFactory, name: &str) -> Box<dyn Instance> {
    factory.instantiate(name, &InstantiateOptions { event_mode: true, ..InstantiateOptions::default() }).unwrap()
}

#[test]
fn it_passes_the_conformance_suite() {
    let factory = sampled(100.0);
    conformance::run(&mut |name| instance(&*factory, name), &ModelUnderTest::new(factory.description()));
}

/// Steps across samples, which are handled, and returns the first output after each.
fn walk(instance: &mut dyn Instance, model: &ModelUnderTest, steps: std::ops::Range<u32>) -> Vec<f64> {
    let one = |n: u32| {
        let value = model.fused_step(instance, n)[0];
        instance.enter_event_mode().unwrap();
        instance.update_discrete_states().unwrap();
        instance.enter_step_mode().unwrap();
        value
    };
    steps.map(one).collect()
}

fn started(factory: &dyn InstanceFactory, model: &ModelUnderTest) -> Box<dyn Instance> {
    let mut instance = instance(factory, "a");
    let experiment = lotka_instance::Experiment { start: model.start, stop: None, tolerance: None };
    instance.setup_experiment(&experiment).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    assert_eq!(instance.phase(), Phase::Event);
    instance.enter_step_mode().unwrap();
    instance
}

#[test]
fn states_are_those_of_both_across_samples() {
    let factory = sampled(0.3);
    let model = ModelUnderTest::new(factory.description());
    let mut instance = started(&*factory, &model);
    let slots = [0, 1].map(|_| instance.new_slot().unwrap());
    let first = walk(&mut *instance, &model, 0..5);
    assert!(first[0] == first[2] && first[2] != first[3], "{first:?}");
    instance.save(slots[0]).unwrap();
    let second = walk(&mut *instance, &model, 5..12);
    instance.save(slots[1]).unwrap();
    instance.restore(slots[0]).unwrap();
    assert_eq!(walk(&mut *instance, &model, 5..12), second);
    // Another way to a state of the same number of steps.
    let third = walk(&mut *instance, &model, 12..16);
    instance.restore(slots[1]).unwrap();
    assert_eq!(walk(&mut *instance, &model, 12..16), third);
    let bytes = instance.serialize(slots[0]).unwrap();
    let mut other = started(&*factory, &model);
    let slot = other.new_slot().unwrap();
    other.deserialize(slot, &bytes).unwrap();
    other.restore(slot).unwrap();
    assert_eq!(walk(&mut *other, &model, 5..12), second);
}

#[test]
fn a_sample_is_not_passed() {
    use lotka_instance::StepOutcome;
    let factory = sampled(0.3);
    let mut instance = started(&*factory, &ModelUnderTest::new(factory.description()));
    assert_eq!(instance.do_step(0.0, 0.25, true).unwrap(), StepOutcome::Complete);
    assert_eq!(instance.do_step(0.25, 0.25, true).unwrap(), StepOutcome::Event(0.3));
    assert_eq!(instance.do_step(0.3, 0.25, true).unwrap(), StepOutcome::Event(0.3), "it was not handled");
}
