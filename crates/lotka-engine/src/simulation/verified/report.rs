//! The error of a verified result.

use std::fmt;

use crate::{
    algorithm::{followed, size_text},
    error_control::global::{DiscontinuityBracket, ErrorExpansion, Extrapolation, Found, OwnError},
    graph::Plan,
    record::Column,
};

/// Maximum number of names in a sentence.
const NAMES: usize = 3;

/// Places of a variable within this share of the distance between rows count as one.
const SAME_PLACE: f64 = 0.02;

/// The error of the results of a run with `tolerance`.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct GlobalError {
    /// The requested relative tolerance.
    pub tolerance: f64,
    /// Whether every recorded value is within the tolerance, according to all evidence.
    pub reached: bool,
    /// The reason why the tolerance is not reached; empty otherwise.
    pub reason: String,
    /// Largest of all estimates, relative to `max(|y|, s)`, where `s` is the scale of the variable. Compare it with the tolerance.
    pub largest: f64,
    /// The estimates per recorded Real variable, in the order of the columns.
    pub outputs: Vec<OutputError>,
    /// The part of `largest` that is due to the internal error of the FMUs, found by runs with a tenth of their tolerance, and with steps in two parts.
    /// `None`: neither changes anything, and the internal error is unknown.
    pub internal_error: Option<f64>,
    /// Whether FMUs follow the requested tolerance. If none does, their error may be larger than `internal_error`: an integration with steps of its own is
    /// hardly changed by a division of steps.
    pub follows_tolerance: bool,
    /// Instances whose steps depend on how they are divided, so that they integrate with an error of their own.
    pub inexact: Vec<String>,
    /// Communication steps of each run that contributes to the results.
    pub steps: Vec<u64>,
    /// First power of the step size in the error, as the method promises it.
    pub expected_order: f64,
    /// The same as observed, if the runs show it.
    pub observed_order: Option<f64>,
    /// Whether the runs converge as expected. If not, fewer extrapolations were made and the estimates are wider.
    pub converges_as_expected: bool,
    /// Number of runs on meshes with other points that agree with the results. 0: the FMUs accept no such meshes, or the tolerance is not met.
    pub n_checks: usize,
    /// Approximate longest distance between points of all runs together \[s\]: shorter phenomena may have been missed.
    pub resolution: f64,
    /// Jumps and kinks of signals, at which the mesh was refined.
    pub discontinuities: Vec<Discontinuity>,
    /// Instances with internal steps of fixed size, whose error is unknown.
    pub internal_steps: Vec<InternalSteps>,
    /// Levels at which instances switch, found by trial steps; steps ended there.
    pub switches: Vec<FoundSwitch>,
    /// Times at which instances act, found by trial steps; steps ended there.
    pub times: Vec<FoundTimes>,
    /// Lines for `[events]`: signals that seem to cross a level at which instances switch, and instances that seem to act at known times. Levels and
    /// times must be exact; they are left for the user to fill in.
    pub suggested_events: Vec<String>,
}

/// A level of an output at which an instance that reads it switches.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct FoundSwitch {
    /// The name of the instance.
    pub instance: String,
    /// The output, as `instance.variable`.
    pub variable: String,
    /// The level, in the unit of the output.
    pub level: f64,
}

/// Times at which an instance acts.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct FoundTimes {
    /// The name of the instance.
    pub instance: String,
    /// Their period \[s\].
    pub every: f64,
    /// One of them \[s\].
    pub offset: f64,
}

/// An instance with internal steps of fixed size.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct InternalSteps {
    /// Its name.
    pub instance: String,
    /// The approximate size of its steps \[s\].
    pub size: f64,
}

impl InternalSteps {
    /// Returns the size as text \[s\].
    #[must_use]
    pub fn size_text(&self) -> String {
        size_text(self.size)
    }
}

impl fmt::Display for InternalSteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` advances in internal steps of {} s", self.instance, self.size_text())
    }
}

/// A jump or a kink of a signal.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Discontinuity {
    /// When \[s\].
    pub time: f64,
    /// `instance.variable`.
    pub variable: String,
    pub(super) instance: usize,
    /// Whether the signal apparently jumps; otherwise it has a kink: its slope jumps.
    pub jumps: bool,
}

/// Largest error estimates of one variable over all rows.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct OutputError {
    /// `instance.variable`.
    pub name: String,
    /// In units of the variable. Not a number, like `relative`, if the variable has values that are not finite: it then has no error bound.
    pub absolute: f64,
    /// Relative to `max(|y|, s)`.
    pub relative: f64,
    /// `s`, in units of the variable. Values below it are judged absolutely.
    pub scale: f64,
    /// The last row up to which all estimates are within the tolerance \[s\]: the stop time if all of them are. `None` if not even the first one is, or if
    /// no run on another mesh was compared with the results.
    pub kept_until: Option<f64>,
}

pub(super) fn summarize(
    (found, between): (&Found, &[f64]),
    (own, inexact): (OwnError, Vec<String>),
    tolerance: f64,
    columns: &[&Column],
    missed: Option<String>,
) -> GlobalError {
    let Found { result: best, runs, .. } = found;
    let reached = missed.is_none() && best.largest <= tolerance;
    let (internal_error, follows_tolerance) = match own {
        OwnError::Known { largest, follows } => (Some(largest), follows),
        OwnError::Unknown => (None, false),
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
    GlobalError {
        tolerance,
        reached,
        reason,
        largest: best.largest,
        outputs: outputs((found, between), tolerance, columns),
        internal_error,
        follows_tolerance,
        inexact,
        steps: runs.iter().map(|run| run.steps).collect(),
        expected_order: best.orders.expected.power(1),
        observed_order: best.orders.observed,
        converges_as_expected: best.orders.used != ErrorExpansion::None,
        n_checks: found.checks,
        resolution: found.distance,
        discontinuities: Vec::new(),
        internal_steps: Vec::new(),
        switches: Vec::new(),
        times: Vec::new(),
        suggested_events: Vec::new(),
    }
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
        outputs.push(OutputError { name, absolute: error.absolute, relative: error.relative, scale, kept_until });
    }
    outputs
}

/// The last row of the mesh up to which all estimates of a column are within the tolerance, also those of the rows between them \[s\].
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
            discontinuities.push(Discontinuity { time: bracket.time, variable, instance, jumps: bracket.jumps });
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
