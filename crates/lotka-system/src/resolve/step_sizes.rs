//! Step sizes that follow from what comes of the steps.

use crate::{AlgorithmSettings, Experiment, Located, NoConvergence};
use lotka_engine::resolved::ControlledSteps;
use lotka_engine::resolved::LocalControl;
use lotka_engine::{
    algorithm::{self, DEFAULT_ESTIMATOR},
    error_control::Tolerances,
    resolved::Compatibility,
};
use lotka_message::{Code, Findings, nearest};

/// The smallest step of those that get smaller where loops do not converge, as a share of the largest one.
const SMALLEST_SHARE: f64 = 1e-6;

/// Control of the local error, within the bounds that are given.
pub(super) fn controlled(
    experiment: &Experiment,
    algorithm: &AlgorithmSettings,
    tolerance: &Located<f64>,
    duration: f64,
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
        controller: controller(algorithm, compatibility, findings),
        estimator: estimator(algorithm, compatibility, findings),
        compatibility,
    };
    let maximum = ("max-step", value(&experiment.max_step, maximum));
    ControlledSteps { local: Some(local), ..within(experiment, (first, minimum), maximum, findings) }
}

/// Whether fixed steps get smaller where a loop does not converge.
pub(super) fn gets_smaller(algorithm: &AlgorithmSettings) -> bool {
    algorithm.on_no_convergence.as_ref().is_some_and(|choice| choice.value == NoConvergence::SmallerSteps)
}

/// Steps of the size that is given wherever loops converge.
pub(super) fn smaller_where_needed(experiment: &Experiment, step: f64, findings: &mut Findings) -> ControlledSteps {
    within(experiment, (step, SMALLEST_SHARE * step), ("step", step), findings)
}

/// Steps between these bounds. First and smallest step are defaults; the largest one comes with the key that says it.
fn within(
    experiment: &Experiment,
    (first, minimum): (f64, f64),
    (key, maximum): (&str, f64),
    findings: &mut Findings,
) -> ControlledSteps {
    let value = |setting: &Option<Located<f64>>, default: f64| setting.as_ref().map_or(default, |setting| setting.value);
    let minimum = value(&experiment.min_step, minimum);
    // A largest step that is no step at all is a problem of its own.
    if minimum > maximum && maximum > 0.0 {
        let span = experiment.min_step.as_ref().and_then(|step| step.span.clone());
        findings.error(
            Code::ConflictingSettings,
            &span,
            format!("`min-step` {minimum} s is larger than `{key}` {maximum} s"),
            "make `min-step` smaller, or leave it out".to_owned(),
        );
    }
    let first = value(&experiment.first_step, first).max(minimum).min(maximum);
    ControlledSteps { first, minimum, maximum, local: None }
}

fn controller(algorithm: &AlgorithmSettings, compatibility: Option<Compatibility>, findings: &mut Findings) -> &'static str {
    let default = if compatibility.is_some() { "i" } else { "pi" };
    let Some(chosen) = &algorithm.controller else { return default };
    if compatibility.is_some() {
        findings.error(
            Code::ConflictingSettings,
            &chosen.span,
            "`compatibility` fixes the controller",
            "leave `controller` out".to_owned(),
        );
    }
    match algorithm::controller_name(&chosen.value) {
        Some(name) => name,
        None => {
            let help = nearest(&chosen.value, algorithm::controller_names());
            findings.error(Code::UnknownChoice, &chosen.span, format!("there is no controller `{}`", chosen.value), help);
            default
        }
    }
}

fn estimator(algorithm: &AlgorithmSettings, compatibility: Option<Compatibility>, findings: &mut Findings) -> &'static str {
    let Some(chosen) = &algorithm.estimator else { return DEFAULT_ESTIMATOR };
    if compatibility.is_some() {
        findings.error(
            Code::ConflictingSettings,
            &chosen.span,
            "`compatibility` fixes the estimator",
            "leave `estimator` out".to_owned(),
        );
    }
    algorithm::estimator_name(&chosen.value).unwrap_or_else(|| {
        let help = nearest(&chosen.value, algorithm::estimator_names());
        findings.error(Code::UnknownChoice, &chosen.span, format!("there is no estimator `{}`", chosen.value), help);
        DEFAULT_ESTIMATOR
    })
}
