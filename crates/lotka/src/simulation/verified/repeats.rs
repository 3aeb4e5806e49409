//! Runs that are repeated with something changed, to see an error that no mesh shows.

use super::runs::{Outcome, Runs};
use crate::{
    Code, Error,
    error_control::global::{Base, Run},
    initialize::SetUp,
    record::Observer,
};

/// By which factor the FMUs' tolerance changes to see their own error.
const FINER: f64 = 0.1;

impl Runs<'_> {
    /// Repeats a run with a tenth of the FMUs' tolerance. `None` if there is nothing to learn from that.
    ///
    /// # Errors
    /// An FMU brought its process to an end.
    pub(super) fn repeat(
        &mut self,
        run: &Run,
        base: &Base,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Option<Run>, Box<Error>> {
        let mut set_up = self.scenario.set_up.clone();
        for set_up in &mut set_up {
            set_up.experiment.tolerance = set_up.experiment.tolerance.map(|tolerance| FINER * tolerance);
        }
        match self.again(&set_up, run, base, 1.0, observers) {
            // Its rows are others.
            Ok(_) if self.are_shorter() => Ok(None),
            Ok(finished) => Ok(finished.map(|finished| finished.run)),
            Err(error) if error.ended_process() || error.is_fatal() => Err(error),
            Err(error) => {
                self.warn(Code::OwnErrorUnknown, format!("the FMUs' own error could not be looked for: {error}"), observers);
                Ok(None)
            }
        }
    }

    /// Repeats a run with a tenth of the tolerance of events; `None` if that fails.
    ///
    /// # Errors
    /// An FMU brought its process to an end.
    pub(super) fn repeat_events(
        &mut self,
        run: &Run,
        base: &Base,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Option<Run>, Box<Error>> {
        let set_up = self.scenario.set_up.clone();
        match self.again(&set_up, run, base, FINER, observers) {
            Ok(_) if self.are_shorter() => Ok(None),
            Ok(finished) => Ok(finished.map(|finished| finished.run)),
            Err(error) if error.ended_process() || error.is_fatal() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Makes a run once more, with something changed.
    fn again(
        &mut self,
        set_up: &[SetUp],
        run: &Run,
        base: &Base,
        event_share: f64,
        observers: &mut [&mut dyn Observer],
    ) -> Outcome {
        let expected = self.known.get(&run.id).cloned().unwrap_or_default();
        let made = self.one(set_up, (self.divided(base, run.subdivisions, &expected), run.subdivisions), event_share, None)?;
        self.take(base, run.subdivisions, &expected, made, observers)
    }
}
