//! Measurements of runs.

use std::fmt;

use lotka::System;

use crate::Method;

/// The accuracy setting of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    /// Fixed step size \[s\].
    Step(f64),
    /// Tolerance of the local error of each step.
    LocalTolerance(f64),
    /// Tolerance of the global error, that of the results.
    Tolerance(f64),
}

impl Setting {
    pub(crate) fn apply(self, system: System) -> System {
        match self {
            Self::Step(size) => system.step(size),
            Self::LocalTolerance(tolerance) => system.local_tolerance(tolerance),
            Self::Tolerance(tolerance) => system.tolerance(tolerance),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(size) => write!(f, "h = {size}"),
            Self::LocalTolerance(tolerance) | Self::Tolerance(tolerance) => write!(f, "{tolerance:.0e}"),
        }
    }
}

/// Cost and error of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// The accuracy setting.
    pub setting: Setting,
    /// doStep calls of all FMUs, over all runs that it needed.
    pub calls: u64,
    /// Largest relative error; `None` if the run failed.
    pub error: Option<f64>,
    /// For a verified run: the estimate of the largest error, and whether the tolerance was reached.
    pub estimate: Option<(f64, bool)>,
}

/// A method on a system, from coarse to fine.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The method.
    pub method: Method,
    /// Its runs.
    pub measurements: Vec<Measurement>,
}

impl Line {
    /// Returns calls and errors of the completed runs.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.measurements.iter().filter_map(|run| Some((run.calls as f64, run.error?)))
    }

    /// Returns the fewest measured calls with at most this error.
    pub fn calls_for(&self, error: f64) -> Option<u64> {
        self.measurements.iter().filter(|run| run.error.is_some_and(|here| here <= error)).map(|run| run.calls).min()
    }

    /// Returns the error at this many calls, interpolated linearly between logarithms and extrapolated beyond the last point.
    pub fn error_at(&self, calls: f64) -> Option<f64> {
        let points: Vec<_> = self.points().filter(|point| point.1.is_finite() && point.1 > 0.0).collect();
        let right = points.iter().position(|point| point.0 >= calls).unwrap_or(points.len().checked_sub(1)?);
        let (left, right) = (*points.get(right.checked_sub(1)?)?, points[right]);
        let slope = (right.1 / left.1).ln() / (right.0 / left.0).ln();
        Some(left.1 * ((calls / left.0).ln() * slope).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        let run = |calls, error| Measurement { setting: Setting::Step(1.0), calls, error, estimate: None };
        let runs = [run(10, None), run(100, Some(1e-2)), run(1000, Some(1e-4)), run(10_000, Some(1e-6))];
        Line { method: Method::JacobiLinear, measurements: runs.to_vec() }
    }

    #[test]
    fn errors_lie_on_straight_lines_of_logarithms() {
        for (calls, error) in [(100.0, None), (200.0, Some(2.5e-3)), (1000.0, Some(1e-4)), (100_000.0, Some(1e-8))] {
            match (line().error_at(calls), error) {
                (Some(here), Some(expected)) => assert!((here / expected - 1.0_f64).abs() < 1e-9, "{calls}: {here}"),
                (here, expected) => assert_eq!(here, expected, "{calls}"),
            }
        }
    }

    #[test]
    fn the_fewest_calls_count() {
        assert_eq!([1e-1, 1e-4, 1e-9].map(|error| line().calls_for(error)), [Some(100), Some(1000), None]);
    }
}
