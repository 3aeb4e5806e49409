//! Steps that could not be made.

use lotka_step::{
    Error,
    algorithm::{Level, Stop},
};

use super::{Flow, RunLoop};
use crate::{
    event::Cause,
    record::{Notification, Rejection},
    refuse,
    stepping::{Proposal, Stepping, shortest_part},
};

impl RunLoop<'_, '_> {
    /// Handles a step that could not be made: rolls back to try another one, or ends the run.
    #[cold]
    pub(super) fn stopped<S: Stepping>(&mut self, stepping: &mut S, proposal: Proposal, stop: Stop) -> Result<Flow, Box<Error>> {
        let rejection = match stop {
            Stop::Refused(refusal) => Rejection::from(refusal),
            Stop::Failed(error) => return Err(error),
        };
        self.reject(&proposal, rejection);
        if self.is_amid_event() {
            return self.give_up_reaction();
        }
        if let Rejection::Discarded { instance, last_successful_time, terminate: true } = rejection {
            return self.terminated(stepping, instance, last_successful_time).map(Flow::end);
        }
        let shorter = match rejection {
            Rejection::Discarded { instance, last_successful_time: Some(time), .. } => Some((Cause::Discard { instance }, time)),
            Rejection::EarlyReturn { instance, time } if self.coupled.uses_event_mode(instance) => {
                if time - self.clock.t < shortest_part(self.clock.t, proposal.h) {
                    return self.event_here(instance);
                }
                Some((Cause::EventMode { instance }, time))
            }
            Rejection::EarlyReturn { instance, time } => Some((Cause::EarlyReturn { instance }, time)),
            _ => None,
        };
        if let Some((cause, _)) = shorter {
            self.note_cut(cause);
        }
        if let Some(end) = shorter
            && self.shorten_step(stepping, &proposal, end)?
        {
            return Ok(Flow::SamePoint);
        }
        if let Err(reason) = stepping.refused(&proposal) {
            return Err(self.give_up(&proposal, rejection, reason));
        }
        self.coupled.restore(Level::Communication)?;
        Ok(Flow::SamePoint)
    }

    /// Counts and reports a rejected step.
    #[cold]
    pub(super) fn reject(&mut self, proposal: &Proposal, reason: Rejection) {
        let counters = &mut self.statistics.counters;
        match reason {
            Rejection::ErrorTest { .. } => counters.n_error_test_failures += 1,
            Rejection::NotConverged { .. } => counters.n_convergence_failures += 1,
            Rejection::Discarded { .. } => counters.n_discards += 1,
            Rejection::EarlyReturn { .. } | Rejection::NotFinite { .. } => {}
        }
        self.reporter.drain_log();
        let variable = refuse::variable(self.coupled, reason);
        self.reporter.emit(&Notification::StepRejected { time: self.clock.time, step: proposal.h, reason, variable });
    }
}
