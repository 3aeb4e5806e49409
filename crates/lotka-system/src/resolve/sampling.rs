//! Instances that are sampled and held: they make steps of their own size, whatever the communication steps.
//!
//! Their times are known before the run, as those of the jumps of a source are. At each of them the instance ends one of its
//! steps, its outputs jump, and it gets the inputs of its next step.

use lotka_instance::{
    Capabilities, ModelDescription,
    description::{Causality, Variability, VariableKind},
};
use lotka_message::{Code, Findings};
use lotka_plan::{source::TimeEvent, time::whole};
use lotka_step::resolved::{MOST_TIMES, ResolvedExperiment, Sampling, multiples};

use super::internal_steps::shown;
use crate::{InstanceSettings, Located, SystemDescription};

/// The sampled instances, and the times at which their outputs jump.
pub fn resolve(
    system: &SystemDescription,
    experiment: &ResolvedExperiment,
    findings: &mut Findings,
) -> (Vec<Sampling>, Vec<TimeEvent>) {
    let (mut samplings, mut time_events) = (Vec::new(), Vec::new());
    for (instance, settings) in system.instances.iter().enumerate() {
        let Some(sample_time) = &settings.sample_time else { continue };
        let times = times(&settings.name.value, sample_time, experiment, findings);
        samplings.push(Sampling { instance, every: sample_time.value });
        time_events.extend(times.into_iter().map(|time| TimeEvent::new(time, true)));
    }
    (samplings, time_events)
}

fn times(instance: &str, every: &Located<f64>, experiment: &ResolvedExperiment, findings: &mut Findings) -> Vec<f64> {
    let span = (experiment.start, experiment.stop);
    if !every.value.is_finite() || every.value <= 0.0 {
        let message =
            format!("expected a number greater than 0 for `sample-time` of instance `{instance}`, found {}", every.value);
        let help = "set the distance of its samples in seconds, or remove it".to_owned();
        findings.error(Code::OutOfRange, &every.span, message, help);
        return Vec::new();
    }
    multiples((every.value, experiment.start), span).unwrap_or_else(|| {
        let message = format!(
            "`sample-time` {} s of instance `{instance}` results in {:.1e} samples until the stop time (limit: {MOST_TIMES:e})",
            every.value,
            (span.1 - span.0) / every.value
        );
        findings.error(Code::TooManySteps, &every.span, message, "increase `sample-time`, or reduce `stop`".to_owned());
        Vec::new()
    })
}

/// The model of a sampled instance as others see it: between samples its outputs are constant, whatever its inputs, and any
/// communication step suits it.
#[must_use]
pub fn held(description: &ModelDescription) -> ModelDescription {
    let mut held = description.clone();
    for variable in held.variables.iter_mut().filter(|variable| variable.causality == Causality::Output) {
        if matches!(variable.kind, VariableKind::Real(_)) && variable.variability == Variability::Continuous {
            variable.variability = Variability::Discrete;
        }
    }
    // At the start, outputs follow inputs as in the model.
    held.initial_unknowns.extend(held.outputs.iter().cloned());
    held.outputs.iter_mut().for_each(|output| output.dependencies = Some(Vec::new()));
    held.fixed_internal_step = None;
    held.capabilities = held_capabilities(description.capabilities);
    held
}

/// The capabilities of a sampled instance, from those of the instance itself. It is rolled back between samples only, where
/// nothing of the instance changes.
#[must_use]
pub fn held_capabilities(own: Capabilities) -> Capabilities {
    Capabilities {
        variable_step: true,
        save_state: true,
        directional_derivative: false,
        interpolate_inputs: false,
        max_output_derivative_order: 0,
        event_mode: true,
        serialize_state: own.save_state && own.serialize_state,
        ..own
    }
}

/// Checks that the steps of a sampled instance are multiples of the internal steps that its FMU declares.
pub fn check_own_grid(settings: &InstanceSettings, description: &ModelDescription, findings: &mut Findings) {
    let Some((every, size)) = settings.sample_time.as_ref().zip(description.fixed_internal_step) else { return };
    if every.value > 0.0 && every.value.is_finite() && whole(every.value, size).is_none() {
        refuse(every, &settings.name.value, ("its FMU", size), findings);
    }
}

/// Finds that the samples of an instance are not at ends of the internal steps of this size of another one.
pub fn check_other_grid(system: &SystemDescription, (other, size): (&str, f64), findings: &mut Findings) {
    for settings in &system.instances {
        let Some(every) = settings.sample_time.as_ref().filter(|every| every.value > 0.0) else { continue };
        if whole(every.value, size).is_none() {
            refuse(every, &settings.name.value, (&format!("`{other}`"), size), findings);
        }
    }
}

fn refuse(every: &Located<f64>, instance: &str, (whose, size): (&str, f64), findings: &mut Findings) {
    let message = format!(
        "expected a multiple of {size} s for `sample-time` of instance `{instance}`, found {} s: {whose} has internal steps of {size} s",
        every.value
    );
    let nearest = shown(size * (every.value / size).round().max(1.0));
    let or = if whose == "its FMU" { String::new() } else { format!(", or set sample-time = {size} for {whose}, too") };
    findings.error(Code::InternalSteps, &every.span, message, format!("use sample-time = {nearest}{or}"));
}
