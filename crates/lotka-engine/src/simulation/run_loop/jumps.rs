//! Time events at the end of a step: jumps and kinks of sources and overrides.

use super::RunLoop;
use crate::{Error, algorithm::call_failed, simulation::stepping::Proposal};

impl RunLoop<'_, '_> {
    /// Handles the time events at the end of a step, if there are any.
    #[inline(always)]
    pub(super) fn pass_known(&mut self, proposal: &Proposal) -> Result<(), Box<Error>> {
        let Some(schedule) = self.schedule.as_mut() else { return Ok(()) };
        let Some(passed) = schedule.pass(proposal.end).filter(|_| !proposal.last) else { return Ok(()) };
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
        Ok(())
    }

    /// Carries out changes that are due at this communication point, as if they had been known before the run: with a row before and a row after them.
    #[cold]
    pub(in crate::simulation) fn change(&mut self) -> Result<(), Box<Error>> {
        let time = self.clock.time;
        if self.reporter.journal.last_row != Some(time) {
            self.row(time)?;
        }
        self.jump(time, time + self.system.resolved.time_events.slack)
    }

    /// Handles jumps of sources and overrides: reads outputs with direct feedthrough again, restarts everything that depends on the past, and
    /// writes a row with the values after the jump.
    #[cold]
    fn jump(&mut self, time: f64, latest: f64) -> Result<(), Box<Error>> {
        self.coupled.note_inputs();
        self.coupled.enter_sources(time);
        self.coupled.enter_overrides(latest)?;
        self.follow_jumps()?;
        self.coupled.restart_signals(false);
        self.monitors.pass_event();
        self.row(self.clock.time)
    }

    /// Reads the outputs that follow inputs at once again, and handles the jumps of inputs in event mode. The inputs before them were noted.
    pub(in crate::simulation) fn follow_jumps(&mut self) -> Result<(), Box<Error>> {
        for &index in &*self.rereads {
            self.coupled.reread(index).map_err(call_failed)?;
        }
        self.handle_events()
    }

    /// Handles the events at the communication point in event mode.
    pub(super) fn handle_events(&mut self) -> Result<(), Box<Error>> {
        self.coupled.handle_events(self.clock.time)?;
        self.expect_announced();
        Ok(())
    }

    /// Has the next steps end where instances have announced events.
    pub(in crate::simulation) fn expect_announced(&mut self) {
        if let Some(schedule) = self.schedule.as_mut() {
            schedule.announce(self.coupled.next_event());
        }
    }
}
