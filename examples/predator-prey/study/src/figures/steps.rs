//! Step sizes and error estimates under error control: figures 6 and 7.

use lotka::{Estimates, StepSizes};

use crate::{Error, Experiment, Study};
use gallery::chart::{Axis, Chart, Curve, Panel, color};

/// Figure 6: accepted step sizes.
pub(super) fn sizes(study: &Study) -> Result<String, Error> {
    let sizes = |method| sizes_over_time(&study.outcome(method).steps);
    let curves = vec![
        Curve::line("no iteration", color::GREEN, sizes(Experiment::MasterSim)),
        Curve::line("iterated", color::PURPLE, sizes(Experiment::MasterSimIterated)),
    ];
    let panel = Panel::over_time("", size_axis(), curves);
    Ok(Chart::new("Figure 6: accepted step sizes, local tolerance 10⁻⁶", vec![vec![panel]]).svg()?)
}

/// Figure 7: both error norms of accepted steps.
pub(super) fn estimates(study: &Study) -> Result<String, Error> {
    let steps = &study.outcome(Experiment::MasterSimIterated).steps;
    let norms = |norm: fn(&Estimates) -> f64| but_last(steps.time.iter().copied().zip(steps.estimates.iter().map(norm)));
    let curves = vec![
        Curve::line("difference of values", color::BLUE, norms(|estimates| estimates.difference)),
        Curve::line("difference of slopes", color::VERMILION, norms(|estimates| estimates.slope)),
    ];
    let panel = Panel::over_time("", Axis::linear("error norm in units of the tolerance"), curves);
    Ok(Chart::new("Figure 7: error norms at accepted steps, iterated, local tolerance 10⁻⁶", vec![vec![panel]]).svg()?)
}

pub(super) fn size_axis() -> Axis {
    Axis::logarithmic("step size in s", f64::MIN_POSITIVE)
}

pub(super) fn sizes_over_time(steps: &StepSizes) -> Vec<(f64, f64)> {
    but_last(steps.time.iter().copied().zip(steps.step.iter().copied()))
}

/// Drops the last step, which is shortened to land on the stop time.
fn but_last(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut points: Vec<_> = points.collect();
    points.pop();
    points
}
