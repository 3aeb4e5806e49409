//! Step sizes that depend on the outcomes of steps.

use super::methods;
use crate::{AlgorithmSettings, ExperimentSettings, Located, NoConvergence};
use lotka_engine::{
    algorithm::{ControllerMethod, EstimatorMethod, MethodRegistry},
    error_control::Tolerances,
    resolved::{Compatibility, ControlledSteps, LocalControl},
};
use lotka_message::{Code, Findings};

/// Smallest step if steps become smaller because loops do not converge, as a share of the largest one.
const SMALLEST_SHARE: f64 = 1e-6;

/// Control of the local error, within the given bounds.
pub(super) fn controlled(
    experiment: &ExperimentSettings,
    algorithm: &AlgorithmSettings,
    tolerance: &Located<f64>,
    duration: f64,
    registry: &MethodRegistry,
    findings: &mut Findings,
) -> ControlledSteps {
    let compatibility = algorithm.compatibility.as_ref().map(|compatibility| compatibility.value);
    let value = |setting: &Option<Located<f64>>, default: f64| setting.as_ref().map_or(default, |setting| setting.value);
    let iterates = algorithm.iterations.as_ref().is_some_and(|iterations| iterations.value > 1);
    let (first, minimum, maximum) = match compatibility {
        Some(Compatibility::MasterSim) => (if iterates { 0.01 } else { 0.1 }, 1e-8, 10.0),
        None => (1e-4 * duration, 1e-12 * duration, duration),
    };
    let local = LocalControl {
        tolerances: Tolerances { relative: tolerance.value, absolute: value(&experiment.absolute_tolerance, tolerance.value) },
        controller: controller(algorithm, compatibility, registry, findings),
        estimator: estimator(algorithm, compatibility, registry, findings),
        compatibility,
    };
    let maximum = ("max-step", value(&experiment.max_step, maximum));
    ControlledSteps { local: Some(local), ..within(experiment, (first, minimum), maximum, findings) }
}

/// Whether fixed steps become smaller if a loop does not converge.
pub(super) fn gets_smaller(algorithm: &AlgorithmSettings) -> bool {
    algorithm.on_no_convergence.as_ref().is_some_and(|choice| choice.value == NoConvergence::SmallerSteps)
}

/// Steps of the given size as long as loops converge.
pub(super) fn smaller_where_needed(experiment: &ExperimentSettings, step: f64, findings: &mut Findings) -> ControlledSteps {
    within(experiment, (step, SMALLEST_SHARE * step), ("step", step), findings)
}

/// Steps between these bounds. First and smallest step are defaults; the largest one comes with its key.
fn within(
    experiment: &ExperimentSettings,
    (first, minimum): (f64, f64),
    (key, maximum): (&str, f64),
    findings: &mut Findings,
) -> ControlledSteps {
    let value = |setting: &Option<Located<f64>>, default: f64| setting.as_ref().map_or(default, |setting| setting.value);
    let minimum = value(&experiment.min_step, minimum);
    // An invalid largest step is a separate problem.
    if minimum > maximum && maximum > 0.0 {
        let span = experiment.min_step.as_ref().and_then(|step| step.span.clone());
        findings.error(
            Code::ConflictingSettings,
            &span,
            format!("`min-step` {minimum} s is larger than `{key}` {maximum} s"),
            "reduce `min-step`, or remove it".to_owned(),
        );
    }
    let first = value(&experiment.first_step, first).max(minimum).min(maximum);
    ControlledSteps { first, minimum, maximum, local: None }
}

fn controller(
    algorithm: &AlgorithmSettings,
    compatibility: Option<Compatibility>,
    registry: &MethodRegistry,
    findings: &mut Findings,
) -> ControllerMethod {
    let default = if compatibility.is_some() { ControllerMethod::Integral } else { ControllerMethod::ProportionalIntegral };
    let Some(chosen) = &algorithm.controller else { return default };
    if compatibility.is_some() {
        findings.error(
            Code::ConflictingSettings,
            &chosen.span,
            "`compatibility` sets the controller",
            "remove `controller`".to_owned(),
        );
    }
    methods::find(chosen, registry, findings).unwrap_or(default)
}

fn estimator(
    algorithm: &AlgorithmSettings,
    compatibility: Option<Compatibility>,
    registry: &MethodRegistry,
    findings: &mut Findings,
) -> EstimatorMethod {
    let default = EstimatorMethod::StepDoubling;
    let Some(chosen) = &algorithm.estimator else { return default };
    if compatibility.is_some() {
        findings.error(
            Code::ConflictingSettings,
            &chosen.span,
            "`compatibility` sets the estimator",
            "remove `estimator`".to_owned(),
        );
    }
    methods::find(chosen, registry, findings).unwrap_or(default)
}
