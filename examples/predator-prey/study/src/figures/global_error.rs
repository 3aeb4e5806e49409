//! Global errors under error control: figure 8.

use crate::{Error, Experiment, Outcome, Study};
use gallery::chart::{Axis, Chart, Curve, Mark, Panel, color};

/// Smaller errors are drawn at this value.
const SMALLEST_ERROR: f64 = 1e-5;

/// Minimum distance between published errors that are drawn \[s\].
const PUBLISHED_SPACING: f64 = 1.5;

/// Draws figure 8: differences from the exact solution above, relative errors with the published ones below.
pub(super) fn global_error(study: &Study) -> Result<String, Error> {
    let rows = vec![vec![differences(study, 0), differences(study, 1)], vec![errors(study, 0), errors(study, 1)]];
    Ok(Chart::new("Figure 8: deviation from the exact solution, local tolerance 10⁻⁶", rows).svg()?)
}

fn outcomes(study: &Study) -> [&Outcome; 2] {
    [Experiment::MasterSim, Experiment::MasterSimIterated].map(|method| study.outcome(method))
}

fn curves(study: &Study, rows: fn(&Outcome) -> &[[f64; 2]], species: usize) -> Vec<Curve> {
    let [plain, iterated] = outcomes(study).map(|outcome| outcome.over_time(rows(outcome), species));
    vec![Curve::line("no iteration", color::GREEN, plain), Curve::line("iterated", color::PURPLE, iterated)]
}

fn differences(study: &Study, species: usize) -> Panel {
    let curves = curves(study, |outcome| &outcome.differences, species);
    Panel::over_time(["Prey", "Predators"][species], Axis::linear("result − exact"), curves)
}

fn errors(study: &Study, species: usize) -> Panel {
    let mut curves = curves(study, |outcome| &outcome.errors, species);
    for (series, label) in [(species, "published"), (species + 2, "")] {
        curves.push(Curve::line(label, color::BLACK, published(study, series)).marked(Mark::Circles));
    }
    Panel::over_time(["Prey", "Predators"][species], Axis::logarithmic("relative error", SMALLEST_ERROR), curves)
}

/// Returns published errors of a series, spaced so that their circles do not touch.
fn published(study: &Study, series: usize) -> Vec<(f64, f64)> {
    let published = &study.published;
    let mut next = 0.0;
    let mut points: Vec<_> = published.time.iter().copied().zip(published.errors.iter().map(|row| row[series])).collect();
    points.retain(|(time, _)| {
        let keep = *time >= next;
        next = if keep { time + PUBLISHED_SPACING } else { next };
        keep
    });
    points
}
