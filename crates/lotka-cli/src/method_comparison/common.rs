//! Settings that all methods share: rows and steps.

use lotka::{Located, StepFactorSettings, System};

/// Tolerance of the reference if the system has none.
const REFERENCE_TOLERANCE: f64 = 1e-8;

/// Number of rows if the system has no output interval.
const ROWS: f64 = 100.0;

/// Number of fixed steps per row if the system has only `tolerance`.
const STEPS_PER_ROW: f64 = 10.0;

/// Step size selection of all methods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Steps {
    /// Fixed steps of this size \[s\]; `derived` if it follows from the interval of the rows.
    Fixed { step: f64, derived: bool },
    /// Steps with local error control.
    Controlled { tolerance: f64 },
}

/// Settings that all methods share.
pub(super) struct CommonSettings {
    system: System,
    pub(super) steps: Steps,
    /// Interval of the rows \[s\].
    pub(super) interval: f64,
    /// Tolerance of the reference.
    pub(super) tolerance: f64,
}

impl CommonSettings {
    /// Creates the settings. It must be possible to build `system`; `tolerance` is that of the file, before flags change it.
    pub(super) fn new(system: System, tolerance: Option<f64>) -> Self {
        let value = |setting: &Option<Located<f64>>| setting.as_ref().map(|setting| setting.value);
        let experiment = &system.description().experiment;
        let duration = value(&experiment.stop).unwrap_or(1.0) - value(&experiment.start).unwrap_or(0.0);
        let given = value(&experiment.step);
        let rows = value(&experiment.output_interval).unwrap_or(duration / ROWS).min(duration);
        let interval = match (given, &experiment.output_interval) {
            // Rows must lie on steps.
            (Some(step), None) => step * (rows / step - 1e-9).ceil().max(1.0),
            _ => rows,
        };
        let steps = match (given, value(&experiment.local_tolerance)) {
            (Some(step), _) => Steps::Fixed { step, derived: false },
            (None, Some(tolerance)) => Steps::Controlled { tolerance },
            (None, None) => Steps::Fixed { step: interval / STEPS_PER_ROW, derived: true },
        };
        let tolerance = value(&experiment.tolerance).or(tolerance).unwrap_or(REFERENCE_TOLERANCE);
        Self { system, steps, interval, tolerance }
    }

    /// Returns the system as a verified run, with a suitable method.
    pub(super) fn reference(&self) -> System {
        let mut system = self.system.clone().tolerance(self.tolerance).output_interval(self.interval);
        let description = system.description_mut();
        let is_local = self.system.description().experiment.local_tolerance.is_some();
        let experiment = &mut description.experiment;
        (experiment.first_step, experiment.min_step) = (None, None);
        if is_local {
            (experiment.absolute_tolerance, experiment.max_step) = (None, None);
        }
        let algorithm = &mut description.algorithm;
        let given = std::mem::take(algorithm);
        (algorithm.order, algorithm.feedthrough_outputs) = (given.order, given.feedthrough_outputs);
        system
    }

    /// Returns the system with the steps of the comparison, halved `halvings` times.
    pub(super) fn stepped(&self, halvings: i32) -> System {
        let system = self.system.clone().output_interval(self.interval);
        match self.steps {
            Steps::Controlled { .. } => system,
            Steps::Fixed { step, .. } => {
                let mut system = system.step(step * 0.5_f64.powi(halvings));
                let experiment = &mut system.description_mut().experiment;
                (experiment.first_step, experiment.min_step, experiment.max_step) = (None, None, None);
                experiment.absolute_tolerance = None;
                let algorithm = &mut system.description_mut().algorithm;
                (algorithm.controller, algorithm.estimator, algorithm.compatibility) = (None, None, None);
                algorithm.factors = StepFactorSettings::default();
                system
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lie_on_steps() {
        let common = |system: System| CommonSettings::new(system.stop(10.0), None);
        assert_eq!(common(System::new().step(0.3)).interval, 0.3);
        assert!((common(System::new().step(0.03)).interval - 0.12).abs() < 1e-15);
        assert!((common(System::new().step(0.05)).interval - 0.1).abs() < 1e-15);
        let derived = common(System::new().tolerance(1e-6).output_interval(0.5));
        assert_eq!((derived.steps, derived.interval), (Steps::Fixed { step: 0.05, derived: true }, 0.5));
        assert_eq!(common(System::new().local_tolerance(1e-4)).steps, Steps::Controlled { tolerance: 1e-4 });
    }

    #[test]
    fn the_tolerance_of_the_reference_is_the_files_own() {
        let tolerance = |system: System, file| CommonSettings::new(system.stop(1.0), file).tolerance;
        assert_eq!(tolerance(System::new().step(0.1), None), REFERENCE_TOLERANCE);
        assert_eq!(tolerance(System::new().step(0.1), Some(1e-5)), 1e-5);
        assert_eq!(tolerance(System::new().tolerance(1e-3), Some(1e-5)), 1e-3);
    }
}
