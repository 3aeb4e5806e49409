//! Preparations made once, before the first run of a simulation. They solve for start values, survey loops of direct feedthrough,
//! and measure the accuracy of their iteration.

use lotka_message::{Code, Warning};
use lotka_prepare::{initialize, trial::noise};
use lotka_step::{Error, error::OutputNoise};

use super::{
    Simulation,
    prepared::{FoundStart, Prepared},
};
use crate::record::{Notification, Observer, emit};

impl Simulation {
    /// Prepares the first run; later runs reuse the result.
    ///
    /// # Errors
    /// No start values were found, or instances cannot be created.
    pub(super) fn prepare(&mut self) -> Result<Prepared, Box<Error>> {
        if let Some(prepared) = &self.prepared {
            return Ok(prepared.clone());
        }
        let of_instantiation = self.instance_set.log.take();
        let mut prepared = self.find_start()?;
        if initialize::has_loops(&self.system.graph, self.system.set_up.len()) {
            prepared.warnings = match self.survey() {
                Err(error) if error.ended_process() => return Err(error),
                // Any other failure here recurs in the run, which reports it.
                surveyed => surveyed.unwrap_or_default(),
            };
            self.renew()?;
        }
        prepared.iteration_tolerance =
            self.system.resolved.algorithm.iteration.as_ref().map(|iteration| iteration.tolerances.relative);
        self.instance_set.log.set(of_instantiation);
        self.prepared = Some(prepared.clone());
        Ok(prepared)
    }

    /// Adopts the results of another process. Returns false if they do not fit the system.
    pub(super) fn adopt(&mut self, prepared: &Prepared) -> bool {
        let system = &mut self.system;
        let (unknowns, iteration) = (&system.steady_state.unknowns, &mut system.resolved.algorithm.iteration);
        let fits = unknowns.len() == prepared.found.len() && iteration.is_some() == prepared.iteration_tolerance.is_some();
        if !fits {
            return false;
        }
        for (unknown, found) in unknowns.iter().zip(&prepared.found) {
            unknown.set(&mut system.set_up, found.value);
        }
        if let (Some(iteration), Some(tolerance)) = (iteration, prepared.iteration_tolerance) {
            iteration.tolerances.relative = tolerance;
        }
        self.prepared = Some(prepared.clone());
        true
    }

    /// Solves for the start values with which all runs begin.
    fn find_start(&mut self) -> Result<Prepared, Box<Error>> {
        let system = &mut self.system;
        if system.steady_state.unknowns.is_empty() {
            return Ok(Prepared::default());
        }
        let coupled = &mut self.instance_set.coupled;
        let found = initialize::find_steady_state(coupled, &system.set_up, &system.graph, &system.steady_state)?;
        system.set_up = found.set_up;
        let names = system.steady_state.unknowns.iter().map(|unknown| unknown.name.clone());
        let values = names.zip(found.values).map(|(variable, value)| FoundStart { variable, value });
        Ok(Prepared { found: values.collect(), iterations: found.iterations, ..Prepared::default() })
    }

    fn survey(&mut self) -> Result<Vec<Warning>, Box<Error>> {
        let (system, coupled) = (&mut self.system, &mut self.instance_set.coupled);
        let is_iterated = system.resolved.algorithm.iteration.is_some();
        let warnings = initialize::survey(coupled, &system.set_up, &system.graph, is_iterated)?;
        Ok(warnings.into_iter().chain(self.widen_iteration()?).collect())
    }

    /// Replaces the instances by new ones if there may be several: the reset of some FMUs is incomplete.
    fn renew(&mut self) -> Result<(), Box<Error>> {
        if self.set_factory.allows_several() {
            self.instance_set = self.set_factory.instance_set()?;
        }
        Ok(())
    }

    /// Raises the default tolerance of an iteration to what rollback and the noise of the outputs allow. Returns a warning
    /// if the increase is large.
    fn widen_iteration(&mut self) -> Result<Option<Warning>, Box<Error>> {
        let (system, coupled) = (&mut self.system, &mut self.instance_set.coupled);
        if !system.resolved.algorithm.iteration.as_ref().is_some_and(|iteration| iteration.is_tight) {
            return Ok(None);
        }
        system.initialize(coupled, &system.set_up)?;
        let h = system.resolved.experiment.stepping.trial_step();
        let mut found = system.measure_noise(coupled, &system.set_up, false, h)?;
        let output_noise = system.measure_output_noise(coupled, &system.set_up, h)?;
        let Some(iteration) = &mut system.resolved.algorithm.iteration else { return Ok(None) };
        let reason = noise::reason(coupled, &output_noise, iteration.tolerances);
        found.extend(output_noise);
        iteration.tolerances.relative *= noise::widening(&found, iteration.tolerances);
        Ok(reason.map(|reason| is_widened(&reason, iteration.tolerances.relative)))
    }
}

/// The warning that the values of a loop agree less closely than usual in each step.
fn is_widened(reason: &OutputNoise, tolerance: f64) -> Warning {
    let OutputNoise { variable, relative, .. } = reason;
    Warning::new(
        Code::NoisyLoop,
        format!(
            "`{variable}` has a relative noise of {relative:.1e} for smooth inputs, as with single precision or solver \
             tolerances inside the FMU: Lotka iterates loops to {tolerance:.1e} in each step; set `iteration-tolerance` to \
             change this"
        ),
    )
}

impl Prepared {
    /// Reports the results to the observers.
    pub(super) fn report_to(&self, observers: &mut [&mut dyn Observer]) {
        if !self.found.is_empty() {
            emit(observers, &Notification::StartFound { values: &self.found, iterations: self.iterations });
        }
        self.warnings.iter().for_each(|warning| emit(observers, &Notification::Warning(warning)));
    }
}
