//! Repetitions of runs with a changed setting, to reveal an error that no mesh reveals.

use std::sync::Arc;

use super::{
    Refined,
    ahead::Others,
    job::Job,
    runs::{Outcome, Runs},
};
use crate::{
    Error,
    error_control::global::{Base, Found, OwnError, Run, join_localization_error, join_own_error},
    record::Observer,
};
use lotka_message::Code;

/// Factor by which the FMUs' tolerance changes to reveal their internal error.
const FINER: f64 = 0.1;

impl Runs<'_> {
    /// Adds the known internal error of the FMUs, and the localization error of events, to the estimate.
    pub(super) fn join_errors_inside(
        &mut self,
        found: &mut Found,
        excluded: &[usize],
        refined: &mut Refined,
        observers: &mut [&mut dyn Observer],
    ) -> OwnError {
        let Some(coarsest) = found.coarsest().cloned() else { return OwnError::Unknown };
        let (coarsest, Found { result, weights, base, .. }) = (&coarsest, found);
        let clear = |mut repeated: Run| {
            excluded.iter().for_each(|&column| repeated.clear(column, weights.columns()));
            repeated
        };
        if !matches!(refined, Refined::Done) {
            return OwnError::Unknown;
        }
        let repeated = self.repeat(coarsest, base, observers).unwrap_or_else(|error| {
            *refined = Refined::Lost(error);
            None
        });
        let own = repeated.map(clear).map_or(OwnError::Unknown, |repeated| {
            let (events, others) = (coarsest.events.len(), repeated.events.len());
            if events != others {
                let what = format!(
                    "with a tenth of the FMUs' tolerance, the run has {others} events instead of {events}: the error of the \
                     rows is unknown"
                );
                self.warn(Code::OwnErrorUnknown, what, observers);
            }
            join_own_error(result, coarsest, &repeated, weights)
        });
        if let (Some(tolerance), Refined::Done) = (self.event_tolerance(), &*refined) {
            let repeated = self.repeat_events(coarsest, base, observers).unwrap_or_else(|error| {
                *refined = Refined::Lost(error);
                None
            });
            join_localization_error(result, coarsest, repeated.map(clear).as_ref(), weights, tolerance);
        }
        own
    }

    /// Repeats a run with a tenth of the FMUs' tolerance. `None` if this yields no information.
    ///
    /// # Errors
    /// An FMU ended its process.
    fn repeat(&mut self, run: &Run, base: &Base, observers: &mut [&mut dyn Observer]) -> Result<Option<Run>, Box<Error>> {
        let (job, with_events) = self.repetitions(&Arc::new(base.clone()), run);
        let others = self.others(with_events.into_iter().collect(), Vec::new());
        match self.again(&job, others, observers) {
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

    /// The repetition of a run with a tenth of the FMUs' tolerance, and the one with a tenth of the tolerance of events, if there is one.
    pub(super) fn repetitions(&self, base: &Arc<Base>, run: &Run) -> (Job<'static>, Option<Job<'static>>) {
        let expected = || self.known.get(&run.id).cloned().unwrap_or_default();
        let same = || Job::divided(base, run.subdivisions, expected());
        (same().with_tolerance_share(FINER), self.event_tolerance().map(|_| same().with_event_share(FINER)))
    }

    /// Makes a repetition.
    fn again(&mut self, job: &Job<'static>, others: Others, observers: &mut [&mut dyn Observer]) -> Outcome {
        let made = self.make(job, others)?;
        self.take(job, made, observers)
    }
}
