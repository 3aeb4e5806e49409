//! The internal error of the FMUs, which finer coupling does not reveal.

use super::{Extrapolation, Run, Weights};

/// Factor for the change from a tolerance to a tenth of it. If the error falls with the tolerance, it is at most `d + d/10 + d/100 + ...` with the
/// larger tolerance.
const SERIES: f64 = 10.0 / 9.0;

/// Result of the search for the internal error of the FMUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum OwnError {
    /// It is now in the estimate; `largest` is its largest part, relative to `max(|y|, s_k)`.
    Known { largest: f64 },
    /// A tenth of the tolerance changed nothing: the FMUs ignore it, and their internal error is unknown (not 0).
    Unknown,
}

/// Adds the internal error of the FMUs, `10/9 |difference|`, to the estimate. `difference` is that of each value between two equal runs, one with a
/// tenth of the FMUs' tolerance. If that run has other events, the errors are unknown and the estimates infinite.
pub(crate) fn join_own_error(result: &mut Extrapolation, run: &Run, repeated: &Run, weights: &Weights) -> OwnError {
    let bits = |run: &Run| run.values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    if run.events == repeated.events && bits(run) == bits(repeated) {
        return OwnError::Unknown;
    }
    let columns = weights.columns();
    let mut largest = 0.0_f64;
    match run.pairs(repeated, columns) {
        Some(pairs) => {
            for (own, other) in pairs {
                let difference = (run.values[own] - repeated.values[other]).abs() * SERIES;
                let difference = if difference.is_finite() { difference } else { f64::INFINITY };
                result.estimate[own] += difference;
                largest = largest.max(weights.relative(own % columns, result.values[own], difference));
            }
        }
        None => {
            result.estimate.fill(f64::INFINITY);
            largest = f64::INFINITY;
        }
    }
    result.measure(weights);
    OwnError::Known { largest }
}
