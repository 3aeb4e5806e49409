//! Time events at the end of a step: jumps and kinks of sources and overrides.

use lotka_message::{Code, Warning};
use lotka_step::{Error, algorithm::Step};

use super::RunLoop;
use crate::stepping::Proposal;

/// Share of a step that is tried to see outputs just after a jump.
const SHORT: f64 = 1e-4;

/// It is at least this share of the time, which rounding does not hide.
const RESOLVED: f64 = 64.0 * f64::EPSILON;

impl RunLoop<'_, '_> {
    /// Handles the time events at the end of a step, and returns whether there are any.
    #[inline(always)]
    pub(super) fn pass_known(&mut self, proposal: &Proposal) -> Result<bool, Box<Error>> {
        let Some(schedule) = self.schedule.as_mut() else { return Ok(false) };
        let Some(passed) = schedule.pass(proposal.end).filter(|_| !proposal.last) else { return Ok(false) };
        match passed.jump {
            Some(time) => {
                let latest = schedule.latest(time);
                self.jump(time, latest)?;
            }
            None if passed.samples => {
                self.coupled.restart_signals(true);
                self.monitors.pass_event();
            }
            None => self.coupled.restart_trace(false, false),
        }
        Ok(true)
    }

    /// Carries out changes that are due at this communication point, as if they had been known before the run: with a row before
    /// and a row after them.
    #[cold]
    pub(crate) fn change(&mut self) -> Result<(), Box<Error>> {
        let time = self.clock.time;
        if self.reporter.journal.last_row != Some(time) {
            self.row(time)?;
        }
        self.jump(time, time + self.system.resolved.time_events.slack)
    }

    /// Handles jumps of sources and overrides: reads outputs with direct feedthrough again, restarts everything that depends on
    /// the past, and writes a row with the values after the jump.
    #[cold]
    fn jump(&mut self, time: f64, latest: f64) -> Result<(), Box<Error>> {
        self.coupled.note_inputs();
        self.coupled.enter_sources(time);
        self.coupled.enter_overrides(latest)?;
        self.sample()?;
        self.follow_jumps()?;
        self.coupled.restart_signals(false);
        self.monitors.pass_event();
        self.row(self.clock.time)
    }

    /// Has the sampled instances end the steps that are due.
    fn sample(&mut self) -> Result<(), Box<Error>> {
        let sampled = &self.system.resolved.time_events.sampled;
        sampled.iter().for_each(|sampling| self.coupled.await_event(sampling.instance));
        if sampled.is_empty() { Ok(()) } else { self.handle_events() }
    }

    /// Reads the outputs that follow inputs at once again, and handles the jumps of inputs in event mode. The inputs before them
    /// were noted.
    pub(crate) fn follow_jumps(&mut self) -> Result<(), Box<Error>> {
        let h = SHORT * self.system.resolved.experiment.stepping.trial_step();
        let h = h.max(RESOLVED * self.clock.t.abs());
        for position in 0..self.rereads.len() {
            let index = self.rereads[position];
            if !self.coupled.follow_jump(index, Step { t: self.clock.t, h })? {
                self.warn_of_late(index);
            }
        }
        self.handle_events()
    }

    /// Warns once about an instance whose outputs may follow a jump, but stay as they are until its next step.
    #[cold]
    fn warn_of_late(&mut self, index: usize) {
        let reason = match self.settled.untested.contains(&index) {
            true => "can neither save its state nor be instantiated again, so Lotka cannot test whether it recomputes them",
            false => "does not compute them when inputs are set",
        };
        let name = self.coupled.name(index);
        let text = format!(
            "instance `{name}`: where its inputs jump, its outputs keep their values until its next step, because the FMU {reason}"
        );
        let warning = Warning::new(Code::StaleOutputs, text);
        if !self.reporter.journal.warnings.contains(&warning) {
            self.reporter.warn(warning);
        }
    }

    /// Handles the events at the communication point in event mode.
    pub(super) fn handle_events(&mut self) -> Result<(), Box<Error>> {
        self.coupled.handle_events(self.clock.time)?;
        self.expect_announced();
        Ok(())
    }

    /// Has the next steps end where instances have announced events.
    pub(crate) fn expect_announced(&mut self) {
        if let Some(schedule) = self.schedule.as_mut() {
            schedule.announce(self.coupled.next_event());
        }
    }
}
