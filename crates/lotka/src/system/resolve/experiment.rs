//! Times and tolerances.

use crate::{
    algorithm,
    error_control::Tolerances,
    system::{
        AlgorithmSettings, Compatibility, Experiment, Located,
        problem::{Findings, nearest},
    },
};

/// More fixed steps than this would take years, or be lost in the rounding of time.
const MOST_STEPS: f64 = 1e15;

/// No step can be more accurate than numbers are.
const SMALLEST_TOLERANCE: f64 = 1e-14;

/// Times in seconds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResolvedExperiment {
    pub(crate) start: f64,
    pub(crate) stop: f64,
    pub(crate) stepping: Stepping,
    pub(crate) output_interval: Option<f64>,
}

/// How step sizes come about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stepping {
    Fixed(f64),
    Controlled(ControlledSteps),
}

/// Error control by step doubling.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ControlledSteps {
    pub(crate) tolerances: Tolerances,
    pub(crate) first: f64,
    pub(crate) minimum: f64,
    pub(crate) maximum: f64,
    pub(crate) controller: &'static str,
    pub(crate) compatibility: Option<Compatibility>,
}

pub(super) fn resolve(experiment: &Experiment, algorithm: &AlgorithmSettings, findings: &mut Findings) -> ResolvedExperiment {
    let start = experiment.start.as_ref().map_or(0.0, |start| start.value);
    let stop = match &experiment.stop {
        Some(stop) if stop.value > start => stop.value,
        Some(stop) => {
            let message = format!("the stop time {} s is not after the start time {start} s", stop.value);
            findings.error(&stop.span, message, None);
            start + 1.0
        }
        None => {
            findings.error(&None, "there is no stop time", "write stop = … in [experiment] or give --stop-time".to_owned());
            start + 1.0
        }
    };
    for (name, value) in positive_values(experiment) {
        if let Some(value) = value
            && !(value.value.is_finite() && value.value > 0.0)
        {
            findings.error(&value.span, format!("`{name}` is {}; it must be greater than 0", value.value), None);
        }
    }
    let stepping = stepping(experiment, algorithm, stop - start, findings);
    let output_interval = experiment.output_interval.as_ref().map(|interval| interval.value);
    check_output_interval(experiment, &stepping, findings);
    ResolvedExperiment { start, stop, stepping, output_interval }
}

fn positive_values(experiment: &Experiment) -> [(&'static str, &Option<Located<f64>>); 7] {
    [
        ("step", &experiment.step),
        ("local-tolerance", &experiment.local_tolerance),
        ("absolute-tolerance", &experiment.absolute_tolerance),
        ("output-interval", &experiment.output_interval),
        ("first-step", &experiment.first_step),
        ("min-step", &experiment.min_step),
        ("max-step", &experiment.max_step),
    ]
}

fn stepping(experiment: &Experiment, algorithm: &AlgorithmSettings, duration: f64, findings: &mut Findings) -> Stepping {
    if let Some(tolerance) = &experiment.tolerance {
        findings.error(
            &tolerance.span,
            "`tolerance` (a bound of the global error) is not available yet",
            "use `local-tolerance`, which bounds the error of each step, or a fixed `step`".to_owned(),
        );
    }
    match (&experiment.step, &experiment.local_tolerance) {
        (Some(step), None) => {
            if duration / step.value > MOST_STEPS {
                findings.error(&step.span, format!("`step` {} s makes more than {MOST_STEPS:e} steps", step.value), None);
            }
            refuse_with_fixed_steps(experiment, algorithm, findings);
            Stepping::Fixed(step.value)
        }
        (None, Some(tolerance)) if tolerance.value > 0.0 && tolerance.value < SMALLEST_TOLERANCE => {
            let message = format!("`local-tolerance` {:e} is below the rounding of numbers", tolerance.value);
            findings.error(&tolerance.span, message, format!("use {SMALLEST_TOLERANCE:e} or more"));
            Stepping::Fixed(duration)
        }
        (None, Some(tolerance)) => Stepping::Controlled(controlled(experiment, algorithm, tolerance, duration, findings)),
        (Some(_), Some(tolerance)) => {
            let help = "keep `step` for fixed communication steps or `local-tolerance` for error control".to_owned();
            findings.error(&tolerance.span, "`step` and `local-tolerance` exclude each other", help);
            Stepping::Fixed(duration)
        }
        (None, None) => {
            if experiment.tolerance.is_none() {
                let help =
                    "write local-tolerance = 1e-6 for error control, or step = 0.1 for fixed steps, in [experiment]".to_owned();
                findings.error(&None, "nothing says how large the communication steps are", help);
            }
            Stepping::Fixed(duration)
        }
    }
}

fn controlled(
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
    let maximum = value(&experiment.max_step, maximum);
    let minimum = value(&experiment.min_step, minimum);
    if minimum > maximum {
        let span = experiment.min_step.as_ref().and_then(|step| step.span.clone());
        findings.error(&span, format!("`min-step` {minimum} s is larger than `max-step` {maximum} s"), None);
    }
    ControlledSteps {
        tolerances: Tolerances { relative: tolerance.value, absolute: value(&experiment.absolute_tolerance, tolerance.value) },
        first: value(&experiment.first_step, first).clamp(minimum.min(maximum), maximum),
        minimum,
        maximum,
        controller: controller(algorithm, compatibility, findings),
        compatibility,
    }
}

fn controller(algorithm: &AlgorithmSettings, compatibility: Option<Compatibility>, findings: &mut Findings) -> &'static str {
    let default = if compatibility.is_some() { "i" } else { "pi" };
    let Some(chosen) = &algorithm.controller else { return default };
    if compatibility.is_some() {
        findings.error(&chosen.span, "`compatibility` fixes the controller", "leave `controller` out".to_owned());
    }
    match algorithm::controller_name(&chosen.value) {
        Some(name) => name,
        None => {
            let help = nearest(&chosen.value, algorithm::controller_names());
            findings.error(&chosen.span, format!("there is no controller `{}`", chosen.value), help);
            default
        }
    }
}

/// With fixed steps nothing controls the step size: settings that would be ignored are refused.
fn refuse_with_fixed_steps(experiment: &Experiment, algorithm: &AlgorithmSettings, findings: &mut Findings) {
    let mut refuse = |name: &str, span: Option<std::ops::Range<usize>>| {
        let message = format!("`{name}` has no meaning with a fixed `step`");
        findings.error(&span, message, "leave it out, or use `local-tolerance` instead of `step`".to_owned());
    };
    for (name, value) in [
        ("first-step", &experiment.first_step),
        ("min-step", &experiment.min_step),
        ("max-step", &experiment.max_step),
        ("absolute-tolerance", &experiment.absolute_tolerance),
    ] {
        if let Some(value) = value {
            refuse(name, value.span.clone());
        }
    }
    if let Some(controller) = &algorithm.controller {
        refuse("controller", controller.span.clone());
    }
    if let Some(compatibility) = &algorithm.compatibility {
        refuse("compatibility", compatibility.span.clone());
    }
}

fn check_output_interval(experiment: &Experiment, stepping: &Stepping, findings: &mut Findings) {
    if let (Some(interval), Stepping::Fixed(step)) = (&experiment.output_interval, stepping) {
        let steps = interval.value / step;
        if steps < 0.5 || (steps - steps.round()).abs() > 1e-9 * steps {
            let message = format!("the output interval {} s is not a multiple of the step {step} s", interval.value);
            findings.error(&interval.span, message, None);
        }
    }
}
