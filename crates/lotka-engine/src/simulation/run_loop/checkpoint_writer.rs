//! Checkpoints of a run: made at a communication point, and gone on from.
//!
//! A checkpoint is made where a step begins, before anything is done for it. A run that goes on from it begins there, so that all that
//! is to be carried over is what lives from one communication point to the next.

use super::{RunLoop, event_locator::transfer_shortened};
use crate::{
    Error,
    checkpoint::{Checkpoint, CheckpointRefusal, CheckpointToken, Contents, Mismatch, Persistent as _, Transfer, Transferred},
    record::Event,
    simulation::{prepare::Prepared, stepping::Stepping},
};

/// What a run needs to make checkpoints.
#[derive(Clone, Copy)]
pub(in crate::simulation) struct Keeping<'a> {
    pub(in crate::simulation) token: &'a CheckpointToken,
    pub(in crate::simulation) origin: &'a [u8],
    pub(in crate::simulation) prepared: &'a Prepared,
}

/// Makes checkpoints where somebody asks for one.
#[derive(Clone, Copy)]
pub(super) struct CheckpointWriter<'a> {
    keeping: Keeping<'a>,
}

impl<'a> CheckpointWriter<'a> {
    pub(super) fn new(keeping: Keeping<'a>) -> Self {
        Self { keeping }
    }
}

impl RunLoop<'_, '_> {
    /// Makes a checkpoint if somebody asks for one, or the run ends here before its time.
    #[inline(always)]
    pub(super) fn keep_checkpoint_if_asked<S: Stepping>(&mut self, stepping: &mut S) -> Result<(), Box<Error>> {
        let Some(writer) = self.checkpoint_writer else { return Ok(()) };
        // What is known of an event that is still to be reported would be lost.
        let is_asked = !self.is_amid_event() && (writer.keeping.token.take() || self.scenario.cancel.is_canceled());
        if is_asked { self.keep_checkpoint(writer.keeping, stepping) } else { Ok(()) }
    }

    #[cold]
    fn keep_checkpoint<S: Stepping>(&mut self, keeping: Keeping<'_>, stepping: &mut S) -> Result<(), Box<Error>> {
        // What waits here is told before: the run that goes on does not know of it.
        self.reporter.drain_log();
        let instances = self.coupled.serialize()?;
        let mut transfer = Transfer::out();
        let state = self.transfer(stepping, &mut transfer).and_then(|()| transfer.finish()).map_err(unfit)?;
        let contents = Contents {
            time: self.clock.time,
            rows: self.reporter.journal.n_rows,
            prepared: keeping.prepared.clone(),
            settled: self.settled.clone(),
            state,
            instances,
        };
        self.reporter.emit(&Event::Checkpoint(&Checkpoint::new(keeping.origin.to_vec(), contents)));
        Ok(())
    }

    /// Goes to where a checkpoint was made.
    #[cold]
    pub(in crate::simulation) fn recall<S: Stepping>(&mut self, stepping: &mut S, contents: &Contents) -> Result<(), Box<Error>> {
        self.coupled.deserialize(&contents.instances)?.map_err(unfit)?;
        let mut transfer = Transfer::from_bytes(&contents.state);
        self.transfer(stepping, &mut transfer).and_then(|()| transfer.finish()).map_err(unfit)?;
        if let Some(schedule) = self.schedule.as_mut() {
            schedule.pass(self.clock.time);
            let latest = schedule.latest(self.clock.time);
            self.coupled.recall_overrides(latest)?;
        }
        // What the instances logged on their way here, the run before has told.
        self.reporter.drop_log();
        Ok(())
    }

    /// All that lives from one communication point to the next.
    fn transfer<S: Stepping>(&mut self, stepping: &mut S, transfer: &mut Transfer<'_>) -> Transferred {
        self.clock.transfer(transfer)?;
        transfer.value(&mut self.reporter.journal.n_rows)?;
        self.statistics.transfer(transfer)?;
        self.reporter.journal.transfer(transfer)?;
        transfer_shortened(self.locator, transfer)?;
        stepping.transfer(transfer)?;
        self.method.transfer(transfer)?;
        self.coupled.transfer(transfer)?;
        transfer.optional(self.locator.as_mut())
    }
}

#[cold]
fn unfit(_: Mismatch) -> Box<Error> {
    Box::new(CheckpointRefusal::Unfit.into())
}
