//! Rough estimate of the error of a run without `tolerance`: a second run with smaller steps shows it.

use lotka::{Code, Memory, System, Warning};

use crate::{failure::Failure, request::Arguments, rough_error::RoughError};

/// Ratio of the error with step size h to the difference from a run with h/2, for a method of order 1. It is smaller for higher
/// orders.
const OF_HALF_A_STEP: f64 = 2.0;

/// Factor of the local tolerance in the second run, and ratio of the error to the difference if the error is proportional to that
/// tolerance.
const FINER: f64 = 0.1;
const OF_FINER: f64 = 1.0 / (1.0 - FINER);

/// A larger error of the results, in local tolerances, is reported.
const FAR: f64 = 10.0;

/// Share of the largest value of a variable below which errors are relative to that share instead of the value.
const NEGLIGIBLE: f64 = 1e-3;

/// The second run, with smaller steps.
pub(super) struct Finer {
    system: System,
    factor: f64,
    /// The local tolerance of the first run.
    tolerance: Option<f64>,
}

impl Finer {
    /// Returns `None` if no estimate is requested.
    ///
    /// # Errors
    /// The run has a `tolerance`, or its rows have no known times.
    pub(super) fn of(arguments: &Arguments, system: &System) -> Result<Option<Self>, Failure> {
        if !arguments.estimate {
            return Ok(None);
        }
        let usage = |reason: &str| Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() });
        let experiment = &system.description().experiment;
        let value = |setting: &Option<lotka::Located<f64>>| setting.as_ref().map(|setting| setting.value);
        match (value(&experiment.tolerance), value(&experiment.step), value(&experiment.local_tolerance)) {
            (Some(_), _, _) => {
                usage("--estimate is for `step` and `local-tolerance`; a run with `tolerance` already estimates its error")
            }
            (None, Some(step), _) => {
                let interval = value(&experiment.output_interval).unwrap_or(step);
                let mut system = system.clone();
                let is_spaced = experiment.min_output_interval.is_some();
                if is_spaced {
                    return usage(
                        "--estimate compares rows at equal times; set `output-interval` instead of `min-output-interval`",
                    );
                }
                system.description_mut().experiment.step = Some((0.5 * step).into());
                Ok(Some(Self { system: system.output_interval(interval), factor: OF_HALF_A_STEP, tolerance: None }))
            }
            (None, None, Some(tolerance)) => {
                if experiment.output_interval.is_none() {
                    return usage("--estimate compares rows at equal times; also pass --output-interval");
                }
                let mut system = system.clone();
                let experiment = &mut system.description_mut().experiment;
                experiment.local_tolerance = Some((FINER * tolerance).into());
                experiment.absolute_tolerance.iter_mut().for_each(|absolute| absolute.value *= FINER);
                Ok(Some(Self { system, factor: OF_FINER, tolerance: Some(tolerance) }))
            }
            (None, None, None) => Ok(None),
        }
    }

    /// Returns a warning if the error of the results is far above the local tolerance.
    pub(super) fn warning(&self, rough: &RoughError) -> Option<Warning> {
        let ((name, error), tolerance) = (rough.largest()?, self.tolerance?);
        (error > FAR * tolerance).then(|| {
            let text = format!(
                "the error of `{name}` is about {:.0} times the `local-tolerance`, which bounds the error of a single step; use `tolerance` to bound that \
                 of the results",
                error / tolerance
            );
            Warning::new(Code::BeyondLocalTolerance, text)
        })
    }

    /// Makes the second run and compares the rows; `None` if they are not at the same times.
    ///
    /// # Errors
    /// The second run fails.
    pub(super) fn compare(&self, rows: &Memory) -> Result<Option<RoughError>, Failure> {
        let mut finer = Memory::new();
        let report = self.system.build()?.run(&mut [&mut finer]).map_err(|failure| *failure)?;
        let is_same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs().max(1e-300);
        if rows.time().len() != finer.time().len() || !rows.time().iter().zip(finer.time()).all(is_same) {
            return Ok(None);
        }
        let mut outputs = Vec::new();
        for column in rows.columns().iter().filter(|column| !column.is_constant) {
            let (Some(values), Some(others)) = (rows.real(&column.name), finer.real(&column.name)) else { continue };
            let largest = others.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
            let mut of_column = (0.0, 0.0);
            for (value, other) in values.iter().zip(others) {
                let error = self.factor * (value - other).abs();
                let relative = if error == 0.0 { 0.0 } else { error / other.abs().max(NEGLIGIBLE * largest) };
                of_column = (error.max(of_column.0), relative.max(of_column.1));
            }
            outputs.push((column.name.clone(), of_column.0, of_column.1));
        }
        Ok(Some(RoughError { outputs, calls: report.counters.n_do_step_calls }))
    }
}
