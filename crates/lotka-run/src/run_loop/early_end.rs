//! Runs that end before their stop time, because an instance requests it or no step can be made.

use lotka_message::{Code, Warning};
use lotka_prepare::trial::noise;
use lotka_step::{
    Error,
    algorithm::{Attempt, Level, Refusal, Stop},
    error::OutputNoise,
};

use super::RunLoop;
use crate::{
    End,
    record::Rejection,
    refuse::{self, Reason},
    stepping::{Proposal, Stepping},
};

impl RunLoop<'_, '_> {
    /// The end that an instance requested when its events were handled at this communication point.
    pub(super) fn requested_end(&self) -> Option<End> {
        let instance = self.coupled.requested_end().filter(|_| !self.is_amid_event())?;
        let (instance, time) = (self.coupled.name(instance).to_owned(), self.clock.time);
        Some(End::TerminatedByInstance { instance, last_successful_time: Some(time) })
    }

    /// Handles an instance that requests the end at a time inside the step. All instances step there if they can. Otherwise the
    /// row there has the values that this instance computed, and the values at the communication point of all others.
    pub(super) fn terminated<S: Stepping>(
        &mut self,
        stepping: &mut S,
        instance: usize,
        last_successful_time: Option<f64>,
    ) -> Result<End, Box<Error>> {
        let name = self.coupled.name(instance).to_owned();
        let end = End::TerminatedByInstance { instance: name, last_successful_time };
        let stop = last_successful_time.filter(|stop| *stop > self.clock.t);
        if !stepping.needs_rollback() {
            return match stop {
                Some(stop) => self.end_inside(stepping, instance, stop).map(|()| end),
                None => Ok(end),
            };
        }
        self.coupled.restore(Level::Communication)?;
        let Some(stop) = stop else { return Ok(end) };
        let proposal = Proposal {
            h: stop - self.clock.t,
            end: stop,
            row: true,
            last: true,
            lands: true,
            is_event: false,
            jumps: false,
            ends_base: false,
        };
        self.statistics.counters.n_step_attempts += 1;
        match stepping.attempt(self.method, self.coupled, self.clock.t, &proposal) {
            // This step is shorter than a step that was due anyway, so its error is not tested.
            Attempt::Continue(estimates) => return self.accept::<S, false>(stepping, &proposal, estimates).map(|_| end),
            Attempt::Break(why) => match *why {
                Stop::Failed(error) => return Err(error),
                Stop::Refused(refusal) => {
                    let is_there = matches!(&refusal, Refusal::Discarded { instance: other, discard } if *other == instance && discard.terminate);
                    self.reject(&proposal, refusal.into());
                    if is_there {
                        return self.end_inside(stepping, instance, stop).map(|()| end);
                    }
                }
            },
        }
        self.coupled.restore(Level::Communication).map(|()| end)
    }

    /// Writes the last row of a run that an instance ends at `stop`: reading it is allowed after a discarded step. The others are
    /// at the communication point or past it.
    fn end_inside<S: Stepping>(&mut self, stepping: &S, instance: usize, stop: f64) -> Result<(), Box<Error>> {
        if self.coupled.instances.len() > 1 {
            let (name, time) = (self.coupled.name(instance), self.clock.time);
            let text = format!(
                "instance `{name}` requested the end of the simulation at t = {stop} s, inside a step, and not all instances \
                 can be rolled back: the last row has the values of t = {time} s for all others"
            );
            self.reporter.warn(Warning::new(Code::EndedInsideStep, text));
        }
        if self.saves(stepping) {
            self.coupled.restore_signals(Level::Communication);
        } else if self.holds_begin() {
            self.coupled.newest.copy_from(&self.coupled.held);
        } else {
            self.coupled.newest.copy_from(self.begin);
        }
        self.coupled.read_alone(instance)?;
        self.clock.end_at(stop);
        self.reporter.drain_log();
        self.send_row(stop);
        Ok(())
    }

    /// The error of a run in which no other step may be tried.
    #[cold]
    pub(super) fn give_up(&mut self, proposal: &Proposal, rejection: Rejection, reason: Reason) -> Box<Error> {
        if matches!(rejection, Rejection::ErrorTest { .. }) {
            self.reject(proposal, rejection);
        }
        let place = (self.clock.time, proposal.h);
        let mut error = refuse::error(self.coupled, rejection, reason, place, self.method.iteration_limit());
        if let (Rejection::NotConverged { component, .. }, Error::NotConverged { output_noise, .. }) = (rejection, &mut error) {
            *output_noise = self.output_noise_of(component, proposal.h);
        }
        if let Error::Discarded { instance, log, .. } = &mut error {
            let lines = self.reporter.journal.last_lines.iter().filter(|line| line.instance == *instance);
            log.extend(lines.map(|line| line.message.clone()));
        }
        Box::new(error)
    }

    /// The output noise that explains why a loop did not converge, if it does. The run is over, so a further failure of an
    /// instance is ignored.
    fn output_noise_of(&mut self, component: usize, h: f64) -> Option<Box<OutputNoise>> {
        let tolerances = self.method.iteration_tolerances()?;
        self.coupled.restore(Level::Communication).ok()?;
        let instances = self.coupled.plan.components[component].members.clone();
        let found = noise::of_outputs(self.coupled, |index| instances.contains(&index), self.clock.t, h).ok()?;
        noise::reason(self.coupled, &found, tolerances)
    }
}
