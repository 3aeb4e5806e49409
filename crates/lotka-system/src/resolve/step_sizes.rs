//! Step sizes that depend on the outcomes of steps.

use lotka_message::{Code, Findings};
use lotka_step::{
    algorithm::{ControllerMethod, EstimatorMethod, MethodRegistry},
    error_control::{Gains, StepFactors, Tolerances},
    resolved::{Compatibility, ControlledSteps, LocalControl},
};

use super::methods;
use crate::{AlgorithmSettings, ExperimentSettings, Located, NoConvergence};

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
        Some(Compatibility::Libcosim) | None => (1e-4 * duration, 1e-12 * duration, duration),
    };
    let controller = controller(algorithm, compatibility, registry, findings);
    let local = LocalControl {
        tolerances: Tolerances { relative: tolerance.value, absolute: value(&experiment.absolute_tolerance, tolerance.value) },
        factors: factors(algorithm, compatibility, &controller, findings),
        controller,
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
    let default = match compatibility {
        Some(Compatibility::MasterSim) => ControllerMethod::Integral,
        Some(Compatibility::Libcosim) | None => ControllerMethod::ProportionalIntegral,
    };
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
    let default = match compatibility {
        Some(Compatibility::Libcosim) => EstimatorMethod::Energy,
        Some(Compatibility::MasterSim) | None => EstimatorMethod::StepDoubling,
    };
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

/// The numbers of the controller. libcosim has no defaults: those here are the ones that Sadjina and Pedersen recommend.
fn factors(
    algorithm: &AlgorithmSettings,
    compatibility: Option<Compatibility>,
    controller: &ControllerMethod,
    findings: &mut Findings,
) -> StepFactors {
    let given = algorithm.factors.by_key();
    for (number, (key, setting)) in given.into_iter().enumerate() {
        let Some(Located { value, span }) = setting else { continue };
        let is_gain = number >= 3;
        if compatibility == Some(Compatibility::MasterSim) {
            let message = format!("`compatibility` sets `{key}`");
            findings.error(Code::ConflictingSettings, span, message, format!("remove `{key}`"));
        } else if is_gain && *controller != ControllerMethod::ProportionalIntegral {
            let message = format!("`{key}` has no effect with the controller `{controller}`");
            findings.error(Code::MeaninglessSetting, span, message, "remove it, or set controller = \"pi\"".to_owned());
        } else if !(value.is_finite() && (*value > 0.0 || key == "proportional-gain" && *value == 0.0)) {
            let message = format!("expected a value greater than 0 for `{key}`, found {value}");
            findings.error(Code::OutOfRange, span, message, None);
        }
    }
    let [safety, smallest, largest, proportional, integral] =
        given.map(|(_, setting)| setting.as_ref().map(|setting| setting.value));
    let own = Gains::default();
    let defaults = match compatibility {
        None => StepFactors { safety: 0.9, smallest: 0.2, largest: 5.0, gains: own },
        Some(Compatibility::MasterSim) => StepFactors { safety: 0.9, smallest: 0.2, largest: 2.0, gains: own },
        Some(Compatibility::Libcosim) => {
            StepFactors { safety: 0.8, smallest: 0.2, largest: 1.5, gains: Gains { proportional: 0.2, integral: 0.15 } }
        }
    };
    let factors = StepFactors {
        safety: safety.unwrap_or(defaults.safety),
        smallest: smallest.unwrap_or(defaults.smallest),
        largest: largest.unwrap_or(defaults.largest),
        gains: Gains {
            proportional: proportional.unwrap_or(defaults.gains.proportional),
            integral: integral.unwrap_or(defaults.gains.integral),
        },
    };
    if factors.smallest > factors.largest {
        let span = algorithm.factors.min_step_factor.as_ref().and_then(|setting| setting.span.clone());
        let message = format!("`min-step-factor` {} is larger than `max-step-factor` {}", factors.smallest, factors.largest);
        findings.error(Code::ConflictingSettings, &span, message, "reduce `min-step-factor`".to_owned());
    }
    factors
}
