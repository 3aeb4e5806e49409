//! Times and tolerances.

use std::ops::Range;

use lotka_message::{Code, Findings, PLACES_OUTSIDE};
use lotka_plan::time::whole;
use lotka_step::{
    algorithm::MethodRegistry,
    resolved::{ResolvedExperiment, Stepping, Verified},
};

use super::step_sizes::{controlled, gets_smaller, smaller_where_needed};
use crate::{AlgorithmSettings, ExperimentSettings, InstanceSettings, Located, internal_grid::ROWS};

/// More fixed steps than this would take years, or be lost in the rounding of time.
pub(super) const MOST_STEPS: f64 = 1e15;

/// Assumed duration of an experiment without a stop time, so that its other problems are found \[s\].
const WITHOUT_STOP: f64 = 1.0;

/// Finds that an experiment has no stop time: an error for a run, a warning for all else.
pub fn find_stop(experiment: &ExperimentSettings, is_run: bool, findings: &mut Findings) {
    if experiment.stop.is_some() || findings.has_refused("stop") {
        return;
    }
    let help = "set `stop` in [experiment], or pass --stop-time".to_owned();
    if is_run {
        findings.error(Code::NoStopTime, &None, "missing stop time", help);
    } else {
        findings.warning(Code::NoStopTime, &None, "missing stop time, which a run needs", help);
    }
}

/// No run can be verified to less than this: the rounding of its steps adds up.
const SMALLEST_GLOBAL_TOLERANCE: f64 = 1e-12;

/// No step can be more accurate than numbers are.
const SMALLEST_TOLERANCE: f64 = 1e-14;

pub fn resolve(
    experiment: &ExperimentSettings,
    instances: &[InstanceSettings],
    algorithm: &AlgorithmSettings,
    registry: &MethodRegistry,
    findings: &mut Findings,
) -> ResolvedExperiment {
    let start = experiment.start.as_ref().map_or(0.0, |start| start.value);
    let stop = match &experiment.stop {
        Some(stop) if stop.value > start => stop.value,
        Some(stop) => {
            let message = format!("the stop time {} s is not after the start time {start} s", stop.value);
            let span = blamed(&stop.span, &experiment.start);
            findings.error(Code::StopBeforeStart, &span, message, "increase `stop`, or reduce `start`".to_owned());
            start + 1.0
        }
        None => start + WITHOUT_STOP,
    };
    let of_instances = instances.iter().map(|instance| ("fmu-tolerance", &instance.fmu_tolerance));
    for (name, value) in positive_values(experiment).into_iter().chain(of_instances) {
        if let Some(value) = value
            && !(value.value.is_finite() && value.value > 0.0)
            && !(name == "absolute-tolerance" && experiment.tolerance.is_some() && value.value == 0.0)
        {
            findings.error(
                Code::OutOfRange,
                &value.span,
                format!("expected a value greater than 0 for `{name}`, found {}", value.value),
                None,
            );
        }
    }
    let stepping = stepping(experiment, algorithm, stop - start, registry, findings);
    let output_interval = experiment.output_interval.as_ref().map(|interval| interval.value);
    check_output_interval(experiment, &stepping, findings);
    let min_output_interval = experiment.min_output_interval.as_ref().map(|interval| interval.value);
    ResolvedExperiment { start, stop, stepping, output_interval, min_output_interval, internal_step: None }
}

fn positive_values(experiment: &ExperimentSettings) -> [(&'static str, &Option<Located<f64>>); 12] {
    [
        ("tolerance", &experiment.tolerance),
        ("step", &experiment.step),
        ("local-tolerance", &experiment.local_tolerance),
        ("absolute-tolerance", &experiment.absolute_tolerance),
        ("output-interval", &experiment.output_interval),
        ("min-output-interval", &experiment.min_output_interval),
        ("first-step", &experiment.first_step),
        ("min-step", &experiment.min_step),
        ("max-step", &experiment.max_step),
        ("max-calls", &experiment.max_calls),
        ("event-tolerance", &experiment.event_tolerance),
        ("fmu-tolerance", &experiment.fmu_tolerance),
    ]
}

fn stepping(
    experiment: &ExperimentSettings,
    algorithm: &AlgorithmSettings,
    duration: f64,
    registry: &MethodRegistry,
    findings: &mut Findings,
) -> Stepping {
    if let Some(tolerance) = &experiment.tolerance {
        return verified(experiment, algorithm, tolerance, duration, findings);
    }
    let refused = vec![("max-calls", span(&experiment.max_calls))];
    refuse(refused, "`step` or `local-tolerance`", "`tolerance`", findings);
    match (&experiment.step, &experiment.local_tolerance) {
        (Some(step), None) => {
            if step.value > 0.0 && duration / step.value > MOST_STEPS {
                findings.error(
                    Code::TooManySteps,
                    &step.span,
                    format!("`step` {:e} s results in more than {MOST_STEPS:e} steps", step.value),
                    "increase `step`, or reduce `stop`".to_owned(),
                );
            }
            refuse_with_fixed_steps(experiment, algorithm, step, findings);
            if gets_smaller(algorithm) {
                Stepping::Controlled(smaller_where_needed(experiment, step.value, findings))
            } else {
                Stepping::Fixed(step.value)
            }
        }
        (None, Some(tolerance)) if tolerance.value > 0.0 && tolerance.value < SMALLEST_TOLERANCE => {
            let message =
                format!("`local-tolerance` {:e} is below the rounding error of floating-point numbers", tolerance.value);
            findings.error(Code::ToleranceTooSmall, &tolerance.span, message, format!("use {SMALLEST_TOLERANCE:e} or more"));
            Stepping::Fixed(duration)
        }
        (None, Some(tolerance)) => {
            Stepping::Controlled(controlled(experiment, algorithm, tolerance, duration, registry, findings))
        }
        (Some(_), Some(tolerance)) => {
            let help = "keep `step` for fixed communication steps or `local-tolerance` for error control".to_owned();
            findings.error(Code::ConflictingSettings, &tolerance.span, "`step` and `local-tolerance` exclude each other", help);
            Stepping::Fixed(duration)
        }
        (None, None) if ["tolerance", "local-tolerance", "step"].iter().any(|key| findings.has_refused(key)) => {
            Stepping::Fixed(duration)
        }
        (None, None) => {
            let help = "in [experiment], set tolerance = 1e-6 to bound the error of the results, local-tolerance = 1e-6 to \
                        bound the error of each step, or step = 0.1 for fixed steps";
            findings.error(Code::NoStepSize, &None, "missing step size or tolerance", help.to_owned());
            Stepping::Fixed(duration)
        }
    }
}

fn verified(
    experiment: &ExperimentSettings,
    algorithm: &AlgorithmSettings,
    tolerance: &Located<f64>,
    duration: f64,
    findings: &mut Findings,
) -> Stepping {
    for (name, other) in [("step", &experiment.step), ("local-tolerance", &experiment.local_tolerance)] {
        if let Some(other) = other {
            let message = format!("`tolerance` and `{name}` exclude each other");
            let help = format!("keep `tolerance` to bound the error of the results, or `{name}` to control the steps yourself");
            findings.error(Code::ConflictingSettings, &other.span, message, help);
        }
    }
    if tolerance.value > 0.0 && tolerance.value < SMALLEST_GLOBAL_TOLERANCE {
        let message = format!("`tolerance` {:e} is below the rounding error of a run", tolerance.value);
        findings.error(Code::ToleranceTooSmall, &tolerance.span, message, format!("use {SMALLEST_GLOBAL_TOLERANCE:e} or more"));
    }
    let mut refused = refused_without_control(algorithm);
    let min_output_interval = span(&experiment.min_output_interval);
    refused.extend([
        ("first-step", span(&experiment.first_step)),
        ("min-step", span(&experiment.min_step)),
        ("min-output-interval", min_output_interval),
    ]);
    let refused = blaming(refused, tolerance);
    refuse(refused, "`tolerance`", "`local-tolerance` instead of `tolerance`", findings);
    let value = |setting: &Option<Located<f64>>| setting.as_ref().map(|setting| setting.value);
    Stepping::Verified(Verified {
        tolerance: tolerance.value,
        scale: value(&experiment.absolute_tolerance).map(|absolute| absolute / tolerance.value),
        output_interval: value(&experiment.output_interval).unwrap_or(duration / ROWS).min(duration),
        max_step: value(&experiment.max_step).unwrap_or(duration),
        max_calls: value(&experiment.max_calls).map(|calls| calls as u64),
    })
}

/// Settings of the control of local errors, with their places.
type Given = Vec<(&'static str, Option<Option<Range<usize>>>)>;

fn span<T>(setting: &Option<Located<T>>) -> Option<Option<Range<usize>>> {
    setting.as_ref().map(|setting| setting.span.clone())
}

/// The place of a problem of two settings: that of the one from outside the file, otherwise that of the first.
fn blamed(span: &Option<Range<usize>>, other: &Option<Located<f64>>) -> Option<Range<usize>> {
    let other = other.as_ref().and_then(|other| other.span.clone());
    other.filter(|span| span.start >= PLACES_OUTSIDE).or_else(|| span.clone())
}

/// The same settings, with the place of the conflicting one if that came from outside the file.
fn blaming(settings: Given, other: &Located<f64>) -> Given {
    let other = Some(other.clone());
    settings.into_iter().map(|(name, given)| (name, given.map(|span| blamed(&span, &other)))).collect()
}

/// Settings that have a meaning only where the local error controls the step size.
fn refused_without_control(algorithm: &AlgorithmSettings) -> Given {
    let named = [
        ("controller", span(&algorithm.controller)),
        ("estimator", span(&algorithm.estimator)),
        ("compatibility", span(&algorithm.compatibility)),
    ];
    named.into_iter().chain(algorithm.factors.by_key().map(|(key, value)| (key, span(value)))).collect()
}

/// With fixed steps, nothing controls the step size: settings without effect are refused.
fn refuse_with_fixed_steps(
    experiment: &ExperimentSettings,
    algorithm: &AlgorithmSettings,
    step: &Located<f64>,
    findings: &mut Findings,
) {
    let mut refused =
        vec![("max-step", span(&experiment.max_step)), ("absolute-tolerance", span(&experiment.absolute_tolerance))];
    if !gets_smaller(algorithm) {
        refused.extend([("first-step", span(&experiment.first_step)), ("min-step", span(&experiment.min_step))]);
    }
    refused.extend(refused_without_control(algorithm));
    let refused = blaming(refused, step);
    refuse(refused, "a fixed `step`", "`local-tolerance` instead of `step`", findings);
}

fn refuse(settings: Given, with: &str, instead: &str, findings: &mut Findings) {
    for (name, given) in settings {
        if let Some(span) = given {
            findings.error(
                Code::MeaninglessSetting,
                &span,
                format!("`{name}` has no effect with {with}"),
                format!("remove it, or use {instead}"),
            );
        }
    }
}

fn check_output_interval(experiment: &ExperimentSettings, stepping: &Stepping, findings: &mut Findings) {
    if let (Some(_), Some(smallest)) = (&experiment.output_interval, &experiment.min_output_interval) {
        let help = "keep `output-interval` for rows at equal intervals, or `min-output-interval` for rows at some of the steps"
            .to_owned();
        let message = "`output-interval` and `min-output-interval` exclude each other";
        findings.error(Code::ConflictingSettings, &smallest.span, message, help);
    }
    // A substitute for a missing or invalid `step`.
    if let (Some(interval), Some(given), Stepping::Fixed(step)) = (&experiment.output_interval, &experiment.step, stepping)
        && given.value == *step
        && whole(interval.value, *step).is_none()
    {
        let message = format!("the output interval {} s is not a multiple of the step {step} s", interval.value);
        findings.error(
            Code::IntervalNotMultiple,
            &blamed(&interval.span, &experiment.step),
            message,
            format!("use {}, or change `step`", (step * (interval.value / step).round().max(1.0)) as f32),
        );
    }
}
