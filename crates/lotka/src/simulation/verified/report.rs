//! What is known of the error of a verified result.

use crate::{
    algorithm::{Exchanged, exchanged},
    error_control::global::{Extrapolation, FEWEST, GiveUp, LARGEST_REFINEMENT, Ladder, Orders, OwnError, Shortfall, Weights},
    graph::{DiscreteSource, Plan},
    record::Column,
};

/// The error of the results of a run with `tolerance`.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct GlobalError {
    /// The tolerance that was asked for, relative.
    pub tolerance: f64,
    /// Whether every recorded value is within the tolerance, as far as can be known.
    pub reached: bool,
    /// Why not; empty if it is.
    pub reason: String,
    /// Largest estimate of all, relative to `max(|y|, s)`, where `s` is the scale of the variable: to be compared with the tolerance.
    pub largest: f64,
    /// The estimates per recorded Real variable, in the order of the columns.
    pub outputs: Vec<OutputError>,
    /// The part of the FMUs' own error in it, found by asking the FMUs for a tenth of their tolerance, as far as they react to it: FMUs that
    /// do not cannot be told from exact ones beside FMUs that do. `None`: no FMU reacts, and their own error is not known.
    pub own_error: Option<f64>,
    /// Communication steps per row of each run that went into the results.
    pub steps_per_row: Vec<u32>,
    /// First power of the step size in the error: expected, and observed where it shows.
    pub order: (f64, Option<f64>),
    /// Whether the runs converge as expected; if not, less was extrapolated and the estimates are wider.
    pub converges_as_expected: bool,
}

/// Largest error estimates of one variable over all rows.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct OutputError {
    /// `instance.variable`.
    pub name: String,
    /// In units of the variable. Not a number, as is `relative`, if the variable has values that are not finite: nothing is promised of it.
    pub absolute: f64,
    /// Relative to `max(|y|, s)`.
    pub relative: f64,
    /// `s`, in units of the variable: below it values are judged absolutely.
    pub scale: f64,
}

pub(super) fn summarize(
    best: &Extrapolation,
    weights: &Weights,
    own: OwnError,
    tolerance: f64,
    columns: &[&Column],
    base_steps: u32,
    missed: Option<String>,
) -> GlobalError {
    let reached = missed.is_none() && best.largest <= tolerance;
    let own_error = match own {
        OwnError::Known { largest } => Some(largest),
        OwnError::Unknown => None,
    };
    let reason = match (missed, own_error) {
        _ if reached => String::new(),
        (missed, Some(own)) if missed.is_none() || own > 0.5 * tolerance => format!(
            "the FMUs' own error is estimated at {own:.1e} although they were asked for less than {:.0e}; {}",
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
        outputs: outputs(best, weights, columns),
        own_error,
        steps_per_row: best.subdivisions.iter().map(|subdivisions| base_steps * subdivisions).collect(),
        order: (best.orders.expected.power(1), best.orders.observed),
        converges_as_expected: best.orders.shortfall.is_none() && best.orders.used != Ladder::None && best.orders.jump.is_none(),
    }
}

/// The nearest tolerance that can be kept: by a result of as many runs as one needs.
fn nearest(best: &Extrapolation) -> String {
    nearest_to(if best.subdivisions.len() < FEWEST { f64::INFINITY } else { best.largest })
}

fn nearest_to(largest: f64) -> String {
    if largest.is_nan() || largest >= 1.0 {
        return "no tolerance can be kept with these rows".to_owned();
    }
    let power = 10.0_f64.powf(largest.log10().floor());
    format!("a tolerance of {:.0e} can be kept", (largest / power).ceil() * power)
}

fn outputs(best: &Extrapolation, weights: &Weights, columns: &[&Column]) -> Vec<OutputError> {
    let mut outputs = Vec::with_capacity(columns.len());
    for (index, (column, error)) in columns.iter().zip(&best.outputs).enumerate() {
        let name = column.name.clone();
        outputs.push(OutputError { name, absolute: error.absolute, relative: error.relative, scale: weights.scale(index, 0.0) });
    }
    outputs
}

/// Why further runs do not help.
pub(super) fn reason(reason: GiveUp, orders: &Orders, plan: &Plan, limits: &str) -> String {
    match reason {
        GiveUp::Stagnation => {
            format!("finer meshes no longer make the estimate smaller: {}, or its FMUs are noisy", not_smooth(orders, plan))
        }
        GiveUp::RoundingFloor { floor } => format!("rounding and noise alone may be {floor:.1e}"),
        GiveUp::LargestRefinement { subdivisions } => {
            let finest = format!(
                "the finest mesh had {subdivisions} steps per base step, {LARGEST_REFINEMENT} are the limit; a smaller max-step or \
                 output-interval allows finer ones"
            );
            match orders.shortfall {
                _ if orders.jump.is_some() => format!("{}; {finest}", not_smooth(orders, plan)),
                Some(Shortfall { expected, observed, .. }) => format!(
                    "the runs do not agree as they should (a part of the error falls with power {observed:.1} of the step size instead \
                     of {expected}): {}; {finest}",
                    not_smooth(orders, plan)
                ),
                None => finest,
            }
        }
        GiveUp::NoMesh { meshes } => {
            let have = match meshes {
                0 => "no mesh has".to_owned(),
                1 => "only 1 mesh has".to_owned(),
                meshes => format!("only {meshes} meshes have"),
            };
            format!(
                "{limits}: with these rows {have} steps that suit; at least {FEWEST} are needed; another output-interval may allow more"
            )
        }
        GiveUp::EqualRuns => {
            "runs with other steps are equal to the last bit, as if the FMUs did not hear of each other in between: they say \
                              nothing of the error"
                .to_owned()
        }
        GiveUp::OnlyFailures { runs } => format!("{runs} runs in a row failed, each on a finer mesh"),
    }
}

fn not_smooth(orders: &Orders, plan: &Plan) -> String {
    let Some(jump) = orders.jump else {
        return "the system is not smooth at this scale (events, jumps and kinks, stale outputs, chaos)".to_owned();
    };
    format!("the system is not smooth at this scale: {} jumps, or moves faster than the steps", name(exchanged(plan)[jump], plan))
}

fn name(value: Exchanged, plan: &Plan) -> String {
    let name = match value {
        Exchanged::Real(signal) => plan.signal_names.get(signal),
        Exchanged::Discrete(DiscreteSource::Integer(index)) => plan.integers.get(index),
        Exchanged::Discrete(DiscreteSource::Boolean(index)) => plan.booleans.get(index),
    };
    name.map_or_else(|| "an exchanged value".to_owned(), |name| format!("`{name}`"))
}

/// Nothing is known of the errors of some outputs.
pub(super) fn exclude(error: &mut GlobalError, excluded: &[usize]) {
    for &column in excluded {
        (error.outputs[column].absolute, error.outputs[column].relative) = (f64::NAN, f64::NAN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_tolerance_is_rounded_up() {
        assert_eq!(nearest_to(7.3e-3), "a tolerance of 8e-3 can be kept");
        assert_eq!(nearest_to(9.6e-10), "a tolerance of 1e-9 can be kept");
        assert_eq!(nearest_to(f64::INFINITY), "no tolerance can be kept with these rows");
    }
}
