//! Resolves the settings for the iteration of loops.

use lotka_message::{Code, Findings};
use lotka_step::{
    algorithm::{AccelerationMethod, MethodRegistry},
    error_control::Tolerances,
    resolved::{Compatibility, ControlledSteps, Iteration, ResolvedExperiment, Stepping},
};

use super::methods;
use crate::{AlgorithmSettings, NoConvergence};

/// Default iteration tolerance with fixed steps. With local error control, the default is a tenth of the local tolerances.
const FIXED_STEP_ITERATION_TOLERANCE: f64 = 1e-7;

/// Iteration tolerance of a verified run, as a share of its `tolerance`. It is small because iteration errors of all steps add
/// up, and extrapolation amplifies them.
const VERIFIED_ITERATION_SHARE: f64 = 1e-3;

/// Maximum number of iterations if Lotka iterates an algebraic loop by default.
const DEFAULT_LIMIT: u32 = 50;

/// Tolerance of such an iteration, relative to each value. Newton's method needs only one more pass for it than for a coarse
/// tolerance.
const DEFAULT_ITERATION_TOLERANCE: f64 = 1e-11;

pub(super) fn iteration(
    settings: &AlgorithmSettings,
    experiment: &ResolvedExperiment,
    is_needed: bool,
    registry: &MethodRegistry,
    findings: &mut Findings,
) -> Option<Iteration> {
    let is_default = is_needed && settings.iterations.is_none();
    let limit = if is_default { DEFAULT_LIMIT } else { limit(settings, findings) };
    if let Some(tolerance) = &settings.iteration_tolerance {
        if !(tolerance.value.is_finite() && tolerance.value > 0.0) {
            findings.error(
                Code::OutOfRange,
                &tolerance.span,
                format!("expected a value greater than 0 for `iteration-tolerance`, found {}", tolerance.value),
                "remove it to use the default".to_owned(),
            );
        } else if limit == 1 {
            let message = "`iteration-tolerance` has no effect without iteration";
            findings.error(Code::MeaninglessSetting, &tolerance.span, message, "set iterations = 20, or remove it".to_owned());
        }
    }
    let default = if is_default { AccelerationMethod::Newton } else { AccelerationMethod::None };
    let acceleration = acceleration(settings, limit, registry, findings).unwrap_or(default);
    let is_tight = is_default && settings.iteration_tolerance.is_none();
    let mut tolerances = iteration_tolerances(settings, experiment);
    if is_tight {
        tolerances = Tolerances { relative: tolerances.relative.min(DEFAULT_ITERATION_TOLERANCE), absolute: 0.0 };
    }
    let keeps_last = keeps_last(settings, experiment, limit, findings);
    let shortest = shortest(settings, experiment, limit, findings);
    (limit > 1).then_some(Iteration { limit, tolerances, acceleration, is_default, is_tight, keeps_last, shortest })
}

/// Returns the size of the shortest step that is iterated \[s\]. A bound on the global error excludes this setting, because
/// shorter steps change the order of the method.
fn shortest(settings: &AlgorithmSettings, experiment: &ResolvedExperiment, limit: u32, findings: &mut Findings) -> f64 {
    let Some(given) = &settings.min_iterated_step else { return 0.0 };
    let (value, span) = (given.value, &given.span);
    if limit == 1 {
        let help = "set iterations = 20, or remove it".to_owned();
        findings.error(Code::MeaninglessSetting, span, "`min-iterated-step` has no effect without iteration", help);
    } else if !(value > 0.0 && value.is_finite()) {
        let message = format!("expected a value greater than 0 for `min-iterated-step`, found {value}");
        findings.error(Code::OutOfRange, span, message, None);
    } else if matches!(experiment.stepping, Stepping::Verified(_)) {
        let message = "`tolerance` does not support `min-iterated-step`, which changes the method in short steps";
        let help = "remove it, or use `local-tolerance` instead of `tolerance`".to_owned();
        findings.error(Code::ConflictingSettings, span, message, help);
    }
    value
}

/// Returns whether Lotka keeps the values of the last iteration if a loop does not converge. This needs fixed steps, because such
/// values meet no tolerance. [`super::step_sizes`] handles `smaller-steps`.
fn keeps_last(settings: &AlgorithmSettings, experiment: &ResolvedExperiment, limit: u32, findings: &mut Findings) -> bool {
    let Some(given) = &settings.on_no_convergence else { return false };
    if limit == 1 {
        let help = "set iterations = 20, or remove it".to_owned();
        findings.error(Code::MeaninglessSetting, &given.span, "`on-no-convergence` has no effect without iteration", help);
    }
    let key = match &experiment.stepping {
        Stepping::Fixed(_) => return given.value == NoConvergence::LastIterate,
        Stepping::Controlled(steps) if steps.local.is_none() => return false,
        Stepping::Controlled(_) => "local-tolerance",
        Stepping::Verified(_) => "tolerance",
    };
    let message = match given.value {
        NoConvergence::Error => return false,
        NoConvergence::LastIterate => format!(
            "`on-no-convergence = \"last-iterate\"` needs fixed steps: a loop that did not converge cannot meet a `{key}`"
        ),
        NoConvergence::SmallerSteps => {
            format!("`on-no-convergence = \"smaller-steps\"` needs `step`, but `{key}` sets the step sizes")
        }
    };
    findings.error(Code::ConflictingSettings, &given.span, message, format!("remove it, or use `step` instead of `{key}`"));
    false
}

/// Returns the number of iterations that the settings request; 1 means no iteration.
fn limit(settings: &AlgorithmSettings, findings: &mut Findings) -> u32 {
    let Some(given) = &settings.iterations else { return 1 };
    let limit = u32::try_from(given.value).ok().filter(|limit| (1..=1000).contains(limit));
    if limit.is_none() {
        findings.error(
            Code::OutOfRange,
            &given.span,
            format!("expected a whole number from 1 (no iteration) to 1000 for `iterations`, found {}", given.value),
            "set iterations = 20, or remove it".to_owned(),
        );
    }
    limit.unwrap_or(1)
}

fn acceleration(
    settings: &AlgorithmSettings,
    limit: u32,
    registry: &MethodRegistry,
    findings: &mut Findings,
) -> Option<AccelerationMethod> {
    let given = settings.acceleration.as_ref()?;
    if limit == 1 {
        let help = "set iterations = 20, or remove it".to_owned();
        findings.error(Code::MeaninglessSetting, &given.span, "`acceleration` has no effect without iteration", help);
    }
    methods::find(given, registry, findings)
}

fn iteration_tolerances(settings: &AlgorithmSettings, experiment: &ResolvedExperiment) -> Tolerances {
    match (&settings.iteration_tolerance, &experiment.stepping) {
        (Some(tolerance), _) => Tolerances { relative: tolerance.value, absolute: tolerance.value },
        (None, Stepping::Verified(verified)) => {
            let tolerance = VERIFIED_ITERATION_SHARE * verified.tolerance;
            // Without a scale, the tolerance is relative to each value only.
            Tolerances { relative: tolerance, absolute: tolerance * verified.scale.unwrap_or(0.0) }
        }
        (None, Stepping::Controlled(ControlledSteps { local: Some(local), .. })) => {
            let share = if local.compatibility == Some(Compatibility::MasterSim) { 1.0 } else { 0.1 };
            Tolerances { relative: share * local.tolerances.relative, absolute: share * local.tolerances.absolute }
        }
        (None, Stepping::Fixed(_) | Stepping::Controlled(_)) => {
            Tolerances { relative: FIXED_STEP_ITERATION_TOLERANCE, absolute: FIXED_STEP_ITERATION_TOLERANCE }
        }
    }
}
