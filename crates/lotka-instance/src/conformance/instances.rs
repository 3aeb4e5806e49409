//! The instances that are checked: how they are made, initialized and stepped.

use crate::{Experiment, Instance, Phase};

use super::{ModelUnderTest, outcomes::must};

/// Creates an instance with a given name in phase `Instantiated`.
pub type Factory<'a> = dyn FnMut(&str) -> Box<dyn Instance> + 'a;

/// Returns an instance at its first communication point.
pub(super) fn started(make: &mut Factory<'_>, name: &str, model: &ModelUnderTest) -> Box<dyn Instance> {
    let mut instance = make(name);
    initialize(instance.as_mut(), model);
    instance
}

/// Takes an instance to its first communication point.
pub(super) fn initialize(instance: &mut dyn Instance, model: &ModelUnderTest) {
    initialize_alone(instance, model);
    if instance.phase() == Phase::Event {
        conclude_events(instance);
    }
}

/// Handles the events of an instance in event mode.
pub(super) fn conclude_events(instance: &mut dyn Instance) {
    while must(instance.update_discrete_states()).needs_update {}
    must(instance.enter_step_mode());
    assert_eq!(instance.phase(), Phase::StepComplete);
}

/// Takes an instance to the end of initialization mode.
pub(super) fn initialize_alone(instance: &mut dyn Instance, model: &ModelUnderTest) {
    must(instance.setup_experiment(&Experiment { start: model.start, stop: None, tolerance: None }));
    must(instance.enter_initialization_mode());
    must(instance.exit_initialization_mode());
}

/// Makes steps `from..to` with inputs that change from step to step; returns the outputs after each.
pub(super) fn steps(instance: &mut dyn Instance, model: &ModelUnderTest, from: u32, to: u32) -> Vec<Vec<u64>> {
    (from..to).map(|n| bits(&model.fused_step(instance, n))).collect()
}

/// Outputs, comparable bit by bit.
pub(super) fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}
