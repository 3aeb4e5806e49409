//! Start, stop and tolerance for every instance.

use lotka_instance::{Experiment, ModelDescription};
use lotka_step::resolved::{FMU_SHARE, Resolved, Stepping};

use crate::{InstanceSettings, SystemDescription};

/// Start, stop and tolerance for each instance and source.
#[must_use]
pub fn experiments(system: &SystemDescription, resolved: &Resolved, descriptions: &[&ModelDescription]) -> Vec<Experiment> {
    let (start, stop) = (resolved.experiment.start, resolved.experiment.stop);
    let instances = system.instances.iter().map(Some).chain(system.sources.iter().map(|_| None));
    let experiment = |(instance, description): (Option<&InstanceSettings>, &&ModelDescription)| Experiment {
        start,
        stop: instance.is_none_or(|instance| instance.pass_stop_time).then_some(stop),
        tolerance: instance.and_then(|instance| fmu_tolerance(system, instance, resolved, description)),
    };
    instances.zip(descriptions).map(experiment).collect()
}

/// The tolerance passed to an FMU, if any.
fn fmu_tolerance(
    system: &SystemDescription,
    instance: &InstanceSettings,
    resolved: &Resolved,
    description: &ModelDescription,
) -> Option<f64> {
    let given = instance.fmu_tolerance.as_ref().or(system.experiment.fmu_tolerance.as_ref());
    given.map(|tolerance| tolerance.value).or_else(|| match &resolved.experiment.stepping {
        Stepping::Verified(verified) => Some(FMU_SHARE * verified.tolerance),
        _ => description.default_experiment.and_then(|default| default.tolerance).filter(|tolerance| is_tolerance(*tolerance)),
    })
}

/// Whether it is a valid tolerance; descriptions may have any number.
fn is_tolerance(value: f64) -> bool {
    value.is_finite() && value > 0.0
}
