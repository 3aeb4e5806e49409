//! Step sizes, set in Rust: a new choice replaces the previous one with all its settings.

use super::System;
use lotka_message::Code;
use lotka_system::NoConvergence;

impl System {
    /// Bounds the error of the results: the run is repeated on finer meshes until its global error is known to be at most this.
    ///
    /// The error is relative to `max(|y|, s)` for every recorded Real value. `s` is [`System::absolute_tolerance`] divided by the
    /// tolerance if given; otherwise the nominal value of the variable, or a thousandth of its largest value, but at least 1e-9
    /// of the largest value of all variables of the same unit. Loops that do not converge become an error again, whatever
    /// [`System::on_no_convergence`] said before. An earlier size of steps is replaced; settings that have no meaning with a
    /// tolerance are dropped, with a warning.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.drop_settings_without_meaning("tolerance");
        self.description.algorithm.on_no_convergence = None;
        let experiment = &mut self.description.experiment;
        experiment.tolerance = Some(tolerance.into());
        (experiment.step, experiment.local_tolerance, experiment.min_output_interval) = (None, None, None);
        self
    }

    /// Uses fixed communication steps of this size \[s\] instead of error control. Settings of error control are dropped, with a
    /// warning.
    #[must_use]
    pub fn step(mut self, size: f64) -> Self {
        self.drop_settings_without_meaning("step");
        let experiment = &mut self.description.experiment;
        experiment.step = Some(size.into());
        (experiment.local_tolerance, experiment.tolerance) = (None, None);
        self
    }

    /// Controls the local error of each step, instead of fixed steps: relative tolerance, and absolute one unless
    /// [`System::absolute_tolerance`] is given. [`System::estimator`] selects the estimator. Loops that do not converge become an
    /// error again, whatever [`System::on_no_convergence`] said before.
    #[must_use]
    pub fn local_tolerance(mut self, tolerance: f64) -> Self {
        self.description.algorithm.on_no_convergence = None;
        let experiment = &mut self.description.experiment;
        experiment.local_tolerance = Some(tolerance.into());
        (experiment.step, experiment.tolerance, experiment.max_calls) = (None, None, None);
        self
    }

    /// The first step under control of the local error \[s\], default 1e-4 of the experiment.
    #[must_use]
    pub fn first_step(mut self, size: f64) -> Self {
        self.description.experiment.first_step = Some(size.into());
        self
    }

    /// The smallest step under control of the local error \[s\], default 1e-12 of the experiment; a step of this size that fails
    /// the error test ends the run.
    #[must_use]
    pub fn min_step(mut self, size: f64) -> Self {
        self.description.experiment.min_step = Some(size.into());
        self
    }

    /// The largest step under control of the local error, or of the coarsest run of a `tolerance` \[s\].
    #[must_use]
    pub fn max_step(mut self, size: f64) -> Self {
        self.description.experiment.max_step = Some(size.into());
        self
    }

    /// Drops settings that have no meaning with `key`, `tolerance` or `step`, and returns their names.
    fn drop_settings_without_meaning(&mut self, key: &str) {
        let (experiment, algorithm) = (&mut self.description.experiment, &mut self.description.algorithm);
        let gets_smaller = algorithm.on_no_convergence.as_ref().is_some_and(|choice| choice.value == NoConvergence::SmallerSteps);
        let mut dropped = Vec::new();
        let mut note = |name: &str, is_given: bool| dropped.extend(is_given.then(|| format!("`{name}`")));
        note("estimator", algorithm.estimator.take().is_some());
        note("controller", algorithm.controller.take().is_some());
        note("compatibility", algorithm.compatibility.take().is_some());
        let factors = std::mem::take(&mut algorithm.factors);
        factors.by_key().into_iter().for_each(|(key, value)| note(key, value.is_some()));
        if key == "tolerance" || !gets_smaller {
            note("first-step", experiment.first_step.take().is_some());
            note("min-step", experiment.min_step.take().is_some());
        }
        if key == "tolerance" {
            note("min-iterated-step", algorithm.min_iterated_step.take().is_some());
        } else {
            note("max-step", experiment.max_step.take().is_some());
            note("max-calls", experiment.max_calls.take().is_some());
            note("absolute-tolerance", experiment.absolute_tolerance.take().is_some());
        }
        if !dropped.is_empty() {
            let message = format!("`{key}` replaces the step-size settings of the system: Lotka ignores {}", dropped.join(", "));
            self.findings.warning(Code::MeaninglessSetting, &None, message, None);
        }
    }
}
