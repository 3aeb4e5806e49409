//! One run in three panels.

use lotka::StepSizes;

use super::steps::{size_axis, sizes_over_time};
use crate::{Error, Trajectory};
use gallery::chart::{Axis, Chart, Curve, Panel, color};

/// Draws populations over time, phase plane and step sizes of a run, as SVG.
///
/// # Errors
/// The figure cannot be drawn.
pub fn overview(trajectory: &Trajectory, steps: &StepSizes) -> Result<String, Error> {
    let populations = vec![
        Curve::line("prey x", color::BLUE, trajectory.over_time(0)),
        Curve::line("predators y", color::VERMILION, trajectory.over_time(1)),
    ];
    let top = Panel::over_time("Populations", Axis::linear("population"), populations);
    let sizes = vec![Curve::line("accepted steps", color::GREEN, sizes_over_time(steps))];
    let right = Panel::over_time("Step size", size_axis(), sizes);
    Ok(Chart::new("Predator and prey, coupled", vec![vec![top], vec![phase_plane(trajectory), right]]).svg()?)
}

fn phase_plane(trajectory: &Trajectory) -> Panel {
    let points: Vec<_> = trajectory.populations.iter().map(|&[x, y]| (x, y)).collect();
    let curves = vec![Curve::line("0 to 100 s", color::PURPLE, points)];
    Panel::new("Phase plane", Axis::linear("prey"), Axis::linear("predators"), curves)
}
