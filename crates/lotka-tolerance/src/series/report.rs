//! The error of a verified result.

use lotka_plan::{column::Column, graph::Plan};
use lotka_prepare::trial::{grids::Acts, switches::Switch};
use lotka_run::InstanceSetFactory;
use lotka_step::{
    algorithm::followed,
    error::{Discontinuity, FoundSwitch, FoundTimes, GlobalError, OutputError},
};

use crate::global::{DiscontinuityBracket, ErrorExpansion, Extrapolation, Found, IntegrationError};

/// Maximum number of names in a sentence.
const NAMES: usize = 3;

/// RunFactories of a variable within this share of the distance between rows count as one.
const SAME_PLACE: f64 = 0.02;

pub(super) fn summarize(
    (found, between): (&Found, &[f64]),
    (own, inexact): (IntegrationError, Vec<String>),
    tolerance: f64,
    columns: &[&Column],
    missed: Option<String>,
) -> GlobalError {
    let Found { result: best, runs, .. } = found;
    let reached = missed.is_none() && best.largest <= tolerance;
    let (internal_error, follows_tolerance) = match own {
        IntegrationError::Known { largest, follows } => (Some(largest), follows),
        IntegrationError::Unknown => (None, false),
    };
    let reason = match (missed, internal_error) {
        _ if reached => String::new(),
        (missed, Some(own)) if missed.is_none() || own > 0.5 * tolerance => format!(
            "the error inside the FMUs{} is estimated at {own:.1e}, although Lotka requested less than {:.0e}; {}",
            in_parentheses(&inexact),
            0.01 * tolerance,
            nearest(best)
        ),
        (missed, _) => format!("{}; {}", missed.unwrap_or_default(), nearest(best)),
    };
    let mut error = GlobalError::new(tolerance, best.largest);
    (error.reached, error.reason, error.inexact) = (reached, reason, inexact);
    (error.internal_error, error.follows_tolerance) = (internal_error, follows_tolerance);
    error.outputs = outputs((found, between), tolerance, columns);
    error.steps = runs.iter().map(|run| run.steps).collect();
    (error.expected_order, error.observed_order) = (best.orders.expected.power(1), best.orders.observed);
    error.converges_as_expected = best.orders.used != ErrorExpansion::None;
    (error.n_checks, error.resolution) = (found.checks, found.distance);
    error
}

/// Some names for a sentence, if there are any.
fn in_parentheses(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(NAMES).map(|name| format!("`{name}`")).collect();
    let others = if names.len() > NAMES { ", …" } else { "" };
    if shown.is_empty() { String::new() } else { format!(" ({}{others})", shown.join(", ")) }
}

/// Describes the error of the best result.
fn nearest(best: &Extrapolation) -> String {
    nearest_to(best.largest)
}

fn nearest_to(largest: f64) -> String {
    if !largest.is_finite() {
        return "the error of the best result is unknown".to_owned();
    }
    if largest >= 1.0 {
        return "the best result may be entirely wrong".to_owned();
    }
    let power = 10.0_f64.powf(largest.log10().floor());
    format!("the error of the best result is estimated at {:.0e}", (largest / power).ceil() * power)
}

fn outputs((found, between): (&Found, &[f64]), tolerance: f64, columns: &[&Column]) -> Vec<OutputError> {
    let mut outputs = Vec::with_capacity(columns.len());
    for (index, (column, error)) in columns.iter().zip(&found.result.outputs).enumerate() {
        let name = column.name.clone();
        let (scale, kept_until) = (found.weights.scale(index, 0.0), kept_until((found, between), tolerance, index));
        outputs.push(OutputError::new(name, (error.absolute, error.relative), scale, kept_until));
    }
    outputs
}

/// The last row of the mesh up to which all estimates of a column are within the tolerance, also those of the rows between them
/// \[s\].
fn kept_until((found, between): (&Found, &[f64]), tolerance: f64, column: usize) -> Option<f64> {
    let Found { result, weights, rows, .. } = found;
    let columns = weights.columns();
    let finest = found.finest().filter(|_| found.is_compared)?;
    let is_kept = |values: &[f64], estimates: &[f64], row: usize| {
        let index = row * columns + column;
        weights.relative(column, values[index], estimates[index]) <= tolerance
    };
    let first_off_mesh = (0..rows.times.len()).find(|&row| !is_kept(&rows.values, between, row)).map(|row| rows.times[row]);
    let kept = |row: &usize| {
        is_kept(&result.values, &result.estimate, *row) && first_off_mesh.is_none_or(|first| finest.times[*row] < first)
    };
    let last = (0..result.values.len() / columns).take_while(kept).last();
    finest.times.get(last?).copied()
}

/// The places at which the mesh was refined, one for each variable and neighborhood.
pub(super) fn discontinuities(places: &[DiscontinuityBracket], plan: &Plan, row_distance: f64) -> Vec<Discontinuity> {
    let followed = followed(plan);
    let name = |bracket: &DiscontinuityBracket| {
        followed.get(bracket.value).and_then(|followed| followed.value.name(plan)).unwrap_or_default().to_owned()
    };
    let mut discontinuities: Vec<Discontinuity> = Vec::new();
    // Later ones are more accurate.
    for bracket in places.iter().rev() {
        let (variable, near) = (name(bracket), (2.0 * bracket.width).max(SAME_PLACE * row_distance));
        if !discontinuities.iter().any(|known| known.variable == variable && (known.time - bracket.time).abs() <= near) {
            let instance = followed.get(bracket.value).map_or(usize::MAX, |followed| followed.instance);
            discontinuities.push(Discontinuity::new(bracket.time, (instance, variable), bracket.jumps));
        }
    }
    discontinuities.sort_by(|a, b| a.time.total_cmp(&b.time));
    discontinuities
}

/// Marks the errors of some outputs as unknown.
pub(super) fn exclude(error: &mut GlobalError, excluded: &[usize]) {
    for &column in excluded {
        (error.outputs[column].absolute, error.outputs[column].relative) = (f64::NAN, f64::NAN);
    }
}

/// Converts the times to names.
pub(super) fn found_times(set_factory: &InstanceSetFactory, acts: &Acts) -> FoundTimes {
    FoundTimes::new(&set_factory.names[acts.instance], acts.every, acts.offset)
}

/// Converts a switch to names.
pub(super) fn found_switch(set_factory: &InstanceSetFactory, switch: &Switch) -> FoundSwitch {
    FoundSwitch::new(&set_factory.names[switch.reader], &set_factory.plan.signal_names[switch.signal], switch.level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_rounded_up() {
        assert_eq!(nearest_to(7.3e-3), "the error of the best result is estimated at 8e-3");
        assert_eq!(nearest_to(9.6e-10), "the error of the best result is estimated at 1e-9");
        assert_eq!(nearest_to(2.6), "the best result may be entirely wrong");
        assert_eq!(nearest_to(f64::INFINITY), "the error of the best result is unknown");
    }
}
