//! Repetitions of runs with a changed setting, to reveal an error that no mesh reveals.

use std::sync::Arc;

use lotka_message::Code;
use lotka_prepare::mesh::Base;
use lotka_run::record::Observer;
use lotka_step::Error;

use super::{
    job::Job,
    outcome::Refined,
    runs::{RunOutcome, Runs},
    speculative_runs::Others,
};
use crate::global::{Changes, Found, IntegrationError, Run, join_integration_error, join_localization_error};

/// Factor by which the FMUs' tolerance changes to reveal their internal error.
const FINER: f64 = 0.1;

/// Errors below this share of the values are rounding.
const ROUNDING: f64 = 1e-13;

impl Runs<'_> {
    /// Adds the known internal error of the FMUs, and the localization error of events, to the estimate.
    pub(super) fn join_errors_inside(
        &mut self,
        found: &mut Found,
        excluded: &[usize],
        refined: &mut Refined,
        observers: &mut [&mut dyn Observer],
    ) -> IntegrationError {
        let Some(coarsest) = found.coarsest().cloned() else { return IntegrationError::Unknown };
        if !matches!(refined, Refined::Done) {
            return IntegrationError::Unknown;
        }
        let mut lose = |error| {
            *refined = Refined::Lost(error);
            None
        };
        let by_tolerance = self.error_by_tolerance(&coarsest, found, excluded, observers).unwrap_or_else(&mut lose);
        let by_parts = self.error_by_parts(found, excluded, observers).unwrap_or_else(&mut lose);
        let own = join_integration_error(&mut found.result, (by_tolerance, by_parts), &found.weights);
        if let (Some(tolerance), Refined::Done) = (self.event_tolerance(), &*refined) {
            let repeated = self.repeat_events(&coarsest, &found.base, observers).unwrap_or_else(|error| {
                *refined = Refined::Lost(error);
                None
            });
            let repeated = repeated.map(|run| clear(run, excluded, found));
            join_localization_error(&mut found.result, &coarsest, repeated.as_ref(), &found.weights, tolerance);
        }
        own
    }

    /// The names of the instances that do not step exactly.
    pub(super) fn inexact(&self) -> Vec<String> {
        let inexact = self.set_factory.names.iter().zip(&*self.inexact).filter(|(_, is_so)| **is_so);
        inexact.map(|(name, _)| name.clone()).collect()
    }

    /// Repeats a run with a tenth of the FMUs' tolerance. `None` if this changes nothing, or yields no information.
    ///
    /// # Errors
    /// An FMU ended its process.
    fn error_by_tolerance(
        &mut self,
        run: &Run,
        found: &Found,
        excluded: &[usize],
        observers: &mut [&mut dyn Observer],
    ) -> Result<Option<Changes>, Box<Error>> {
        let (job, with_events) = self.repetitions(&Arc::new(Base::clone(&found.base)), run);
        let others = self.others(with_events.into_iter().collect(), Vec::new());
        let Some(repeated) = self.repeat(&job, others, observers)? else { return Ok(None) };
        self.compare_events("a tenth of the FMUs' tolerance", run, &repeated, observers);
        let changes = Changes::between(run, &clear(repeated, excluded, found), &found.weights);
        let errors = changes.map(Changes::errors_by_a_tenth);
        self.loose = errors.as_ref().map(|errors| errors.largest(&found.result, &found.weights));
        Ok(errors)
    }

    /// Repeats runs with steps in two parts: FMUs that integrate begin anew in each, even if they ignore the requested tolerance.
    /// The coarsest run is enough if it hardly changes, or else the finest one; otherwise the change of the extrapolated result
    /// counts. `None` if all FMUs step exactly.
    ///
    /// # Errors
    /// An FMU ended its process.
    fn error_by_parts(
        &mut self,
        found: &Found,
        excluded: &[usize],
        observers: &mut [&mut dyn Observer],
    ) -> Result<Option<Changes>, Box<Error>> {
        // A result that misses the tolerance anyway needs no further runs.
        if !self.inexact.contains(&true) || found.result.largest > self.verified.tolerance {
            return Ok(None);
        }
        let base = Arc::new(Base::clone(&found.base));
        let Found { result, weights, runs, .. } = found;
        let used = result.orders.used;
        let of_table = used.table_weights(&result.subdivisions);
        let (last, mut sum) = (runs.len() - 1, None::<Changes>);
        for place in [0].into_iter().chain((1..=last).rev()) {
            let run = &runs[place];
            let job = self.same(&base, run).with_parts(&self.inexact);
            let Some(repeated) = self.repeat(&job, Others::default(), observers)? else { return Ok(None) };
            self.compare_events("steps in two parts", run, &repeated, observers);
            let repeated = clear(repeated, excluded, found);
            if place == 0 || place == last {
                let Some(changes) = Changes::between(run, &repeated, weights) else { return Ok(None) };
                let bound = changes.scaled(used.amplification(&result.subdivisions)).errors_by_parts(result, weights);
                let largest = bound.largest(result, weights);
                if largest <= ROUNDING {
                    return Ok(None);
                }
                if result.largest + largest <= self.verified.tolerance {
                    return Ok(Some(bound));
                }
            }
            sum.get_or_insert_with(|| Changes::none(run)).add(of_table[place], run, &repeated, weights);
        }
        Ok(sum.map(|sum| sum.errors_by_parts(result, weights)))
    }

    /// Warns if a repeated run has other events.
    fn compare_events(&mut self, with: &str, run: &Run, repeated: &Run, observers: &mut [&mut dyn Observer]) {
        let (events, others) = (run.events.len(), repeated.events.len());
        if events != others {
            let what = format!("with {with}, the run has {others} events instead of {events}: the error of the rows is unknown");
            self.warn(Code::OwnErrorUnknown, what, observers);
        }
    }

    /// Makes a repetition. `None` if this yields no information.
    ///
    /// # Errors
    /// An FMU ended its process.
    fn repeat(
        &mut self,
        job: &Job<'static>,
        others: Others,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Option<Run>, Box<Error>> {
        match self.again(job, others, observers) {
            // Its rows differ.
            Ok(_) if self.are_shorter() => Ok(None),
            Ok(finished) => Ok(finished.map(|finished| finished.run)),
            Err(error) if error.ended_process() || error.is_fatal() => Err(error),
            Err(error) => {
                self.warn(Code::OwnErrorUnknown, format!("cannot estimate the error inside the FMUs: {error}"), observers);
                Ok(None)
            }
        }
    }

    /// Repeats a run with a tenth of the tolerance of events; `None` if that fails.
    ///
    /// # Errors
    /// An FMU ended its process.
    fn repeat_events(&mut self, run: &Run, base: &Base, observers: &mut [&mut dyn Observer]) -> Result<Option<Run>, Box<Error>> {
        let Some(job) = self.repetitions(&Arc::new(base.clone()), run).1 else { return Ok(None) };
        match self.again(&job, Others::default(), observers) {
            Ok(_) if self.are_shorter() => Ok(None),
            Ok(finished) => Ok(finished.map(|finished| finished.run)),
            Err(error) if error.ended_process() || error.is_fatal() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// The repetition of a run with a tenth of the FMUs' tolerance, and the one with a tenth of the tolerance of events, if there
    /// is one.
    pub(super) fn repetitions(&self, base: &Arc<Base>, run: &Run) -> (Job<'static>, Option<Job<'static>>) {
        let same = || self.same(base, run);
        (same().with_tolerance_share(FINER), self.event_tolerance().map(|_| same().with_event_share(FINER)))
    }

    /// The same run once more.
    fn same(&self, base: &Arc<Base>, run: &Run) -> Job<'static> {
        Job::divided(base, run.subdivisions, self.known.get(&run.id).cloned().unwrap_or_default())
    }

    fn again(&mut self, job: &Job<'static>, others: Others, observers: &mut [&mut dyn Observer]) -> RunOutcome {
        let made = self.make(job, others)?;
        self.take(job, made, observers)
    }
}

/// A run without the values of excluded columns.
fn clear(mut run: Run, excluded: &[usize], found: &Found) -> Run {
    excluded.iter().for_each(|&column| run.clear(column, found.weights.columns()));
    run
}
