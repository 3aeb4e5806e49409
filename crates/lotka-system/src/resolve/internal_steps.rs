//! Instances with internal steps of fixed size, as their FMUs declare them: communication steps must be multiples of these.

use std::ops::Range;

use lotka_message::{Code, Findings};
use lotka_plan::time::whole;
use lotka_step::{
    algorithm::EstimatorMethod,
    resolved::{Algorithm, Interface, ResolvedExperiment, Stepping},
};

use super::sampling;
use crate::{
    ExperimentSettings, SystemDescription,
    internal_grid::{InternalGrid, common_multiple},
};

/// An instance with internal steps of this size \[s\].
struct InternalSteps<'a> {
    name: &'a str,
    size: f64,
}

/// Fits the default distance between rows of a run with `tolerance`, which meshes divide, to the internal steps that FMUs
/// declare.
pub fn fit_rows(settings: &ExperimentSettings, interfaces: &[Interface<'_>], experiment: &mut ResolvedExperiment) {
    let Stepping::Verified(verified) = &mut experiment.stepping else { return };
    if settings.output_interval.is_none()
        && let Some(grid) = InternalGrid::of(interfaces.iter().map(|interface| interface.description))
    {
        verified.output_interval = grid.rows(experiment.stop - experiment.start);
    }
}

/// The size of which communication steps must be multiples \[s\]. Meshes of runs with `tolerance` choose such steps themselves.
pub fn resolve(
    system: &SystemDescription,
    experiment: &ResolvedExperiment,
    algorithm: &Algorithm,
    interfaces: &[Interface<'_>],
    findings: &mut Findings,
) -> Option<f64> {
    let sizes = interfaces.iter().enumerate().filter_map(|(index, interface)| {
        let size = interface.description.fixed_internal_step?;
        Some(InternalSteps { name: system.name_of(index), size })
    });
    let sizes: Vec<_> = sizes.collect();
    sizes.iter().for_each(|steps| sampling::check_other_grid(system, (steps.name, steps.size), findings));
    let largest = sizes.iter().max_by(|a, b| a.size.total_cmp(&b.size))?;
    if matches!(experiment.stepping, Stepping::Verified(_)) {
        return Some(largest.size);
    }
    let common = sizes.iter().try_fold(largest.size, |common, steps| common_multiple(common, steps.size).ok_or(steps));
    let unit = match common {
        Ok(common) => common * parts(experiment, algorithm),
        Err(steps) => {
            let message = format!(
                "`{}` has internal steps of {} s and `{}` of {} s: no communication step suits both",
                largest.name, largest.size, steps.name, steps.size
            );
            let help = format!(
                "use `tolerance`, or set sample-time = {} for `{}` and sample-time = {} for `{}`, which samples and holds them",
                largest.size, largest.name, steps.size, steps.name
            );
            findings.error(Code::InternalSteps, &None, message, help);
            return None;
        }
    };
    let mut check = |key: &str, value: Option<f64>, span: Option<Range<usize>>| {
        let Some(value) = value.filter(|value| !is_multiple(*value, unit)) else { return };
        let half = if unit > largest.size { " (steps are halved)" } else { "" };
        let message = format!(
            "expected a multiple of {unit} s for `{key}`, found {value} s: `{}` has internal steps of {} s{half}",
            largest.name, largest.size
        );
        let nearest = unit * (value / unit).round().max(1.0);
        let or = format!("or set sample-time = {} for `{}`, which samples and holds it", largest.size, largest.name);
        findings.error(Code::InternalSteps, &span, message, format!("use {key} = {}, {or}", shown(nearest)));
    };
    let settings = &system.experiment;
    let span = |setting: &Option<crate::Located<f64>>| setting.as_ref().and_then(|setting| setting.span.clone());
    if let Stepping::Fixed(step) = experiment.stepping {
        check("step", Some(step), span(&settings.step));
    }
    check("output-interval", experiment.output_interval, span(&settings.output_interval));
    let length = if experiment.start == 0.0 { "stop" } else { "stop - start" };
    check(length, settings.stop.as_ref().map(|stop| stop.value - experiment.start), span(&settings.stop));
    Some(unit)
}

/// Number of parts into which the method divides a communication step.
fn parts(experiment: &ResolvedExperiment, algorithm: &Algorithm) -> f64 {
    let halves =
        matches!(&experiment.stepping, Stepping::Controlled(steps) if steps.estimator().is_some_and(EstimatorMethod::may_halve));
    let sweeps_twice = algorithm.sweep.make().is_symmetric();
    [halves, sweeps_twice].into_iter().map(|divides| if divides { 2.0 } else { 1.0 }).product()
}

fn is_multiple(value: f64, of: f64) -> bool {
    whole(value, of).is_some()
}

/// A number with few digits.
pub(super) fn shown(value: f64) -> f64 {
    format!("{value:.9e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_known_up_to_rounding() {
        assert!(is_multiple(0.1 + 0.2, 0.1) && !is_multiple(0.05, 0.1) && !is_multiple(0.25, 0.1));
    }
}
