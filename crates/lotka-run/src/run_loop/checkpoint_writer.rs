//! Checkpoints of a run: written at a communication point, and read to resume.
//!
//! A checkpoint is made at the beginning of a step, before any part of it. A resumed run begins there, so that the checkpoint
//! only needs the data that persists from one communication point to the next.

use lotka_message::{Code, Warning};
use lotka_step::{
    Error,
    checkpoint::{CheckpointRefusal, CheckpointToken, Mismatch, Persistent as _, Transfer, Transferred},
};

use super::{RunLoop, event_locator::transfer_shortened};
use crate::{Checkpoint, checkpoint::Contents, prepared::Prepared, record::Notification, stepping::Stepping};

/// The settings of a run for checkpoints.
#[derive(Clone, Copy)]
pub struct CheckpointSettings<'a> {
    pub(crate) token: &'a CheckpointToken,
    pub(crate) origin: &'a [u8],
    pub(crate) prepared: &'a Prepared,
}

/// Makes checkpoints on request.
#[derive(Clone, Copy)]
pub(super) struct CheckpointWriter<'a> {
    keeping: CheckpointSettings<'a>,
}

impl<'a> CheckpointWriter<'a> {
    pub(super) fn new(keeping: CheckpointSettings<'a>) -> Self {
        Self { keeping }
    }
}

impl RunLoop<'_, '_> {
    /// Makes a checkpoint if one is requested, or if the run ends here before its stop time.
    #[inline(always)]
    pub(super) fn keep_checkpoint_if_asked<S: Stepping>(&mut self, stepping: &mut S) -> Result<(), Box<Error>> {
        let Some(writer) = self.checkpoint_writer else { return Ok(()) };
        // The data of an event that is still to be reported would be lost.
        let is_asked = !self.is_amid_event() && (writer.keeping.token.take() || self.system.cancel.is_canceled());
        if is_asked { self.keep_checkpoint(writer.keeping, stepping) } else { Ok(()) }
    }

    #[cold]
    fn keep_checkpoint<S: Stepping>(&mut self, keeping: CheckpointSettings<'_>, stepping: &mut S) -> Result<(), Box<Error>> {
        // Pending lines are reported first, because the resumed run does not have them.
        self.reporter.drain_log();
        let instances = self.coupled.serialize()?;
        self.reporter.drain_log();
        let mut outputs = Transfer::out();
        self.coupled.outputs_now()?.transfer(&mut outputs).map_err(unfit)?;
        // An instance may have said why it cannot be read now.
        self.reporter.drop_log();
        let state = self.persistent_bytes(stepping)?;
        let contents = Contents {
            time: self.clock.time,
            rows: self.reporter.journal.n_rows,
            prepared: keeping.prepared.clone(),
            settled: self.settled.clone(),
            state,
            instances,
            outputs: outputs.finish().map_err(unfit)?,
        };
        self.reporter.emit(&Notification::Checkpoint(&Checkpoint::new(keeping.origin.to_vec(), contents)));
        Ok(())
    }

    /// Returns to the point of a checkpoint.
    #[cold]
    pub(crate) fn recall<S: Stepping>(&mut self, stepping: &mut S, contents: &Contents) -> Result<(), Box<Error>> {
        self.coupled.deserialize(&contents.instances)?.map_err(unfit)?;
        self.take_bytes(stepping, &contents.state)?;
        if let Some(schedule) = self.schedule.as_mut() {
            schedule.pass(self.clock.time);
            let latest = schedule.latest(self.clock.time);
            self.coupled.recall_overrides(latest)?;
        }
        self.expect_announced();
        self.compare_outputs(&contents.outputs)?;
        // The previous run has reported what the instances logged on the way to this point.
        self.reporter.drop_log();
        Ok(())
    }

    /// Warns if an instance has other outputs than in the state that it has serialized.
    fn compare_outputs(&mut self, expected: &[u8]) -> Result<(), Box<Error>> {
        let found = self.coupled.outputs_now()?;
        let (mut before, mut transfer) = (found.clone(), Transfer::from_bytes(expected));
        before.transfer(&mut transfer).and_then(|()| transfer.finish()).map_err(unfit)?;
        let Some((variable, values)) = found.first_other_bits(&before, &self.coupled.plan) else { return Ok(()) };
        let values = values.map_or_else(|| "differs".to_owned(), |[now, before]| format!("is {now:?} instead of {before:?}"));
        let text = format!(
            "`{variable}` {values} after the FMU has restored the state in the checkpoint: the rows from t = {} s on may be wrong; \
             start a new run, or replace the FMU",
            self.clock.time
        );
        self.reporter.warn(Warning::new(Code::InexactRollback, text));
        Ok(())
    }

    /// All data that persists from one communication point to the next, apart from the instances.
    pub(crate) fn persistent_bytes<S: Stepping>(&mut self, stepping: &mut S) -> Result<Vec<u8>, Box<Error>> {
        let mut transfer = Transfer::out();
        self.transfer(stepping, &mut transfer).and_then(|()| transfer.finish()).map_err(unfit)
    }

    /// Takes over such data.
    pub(crate) fn take_bytes<S: Stepping>(&mut self, stepping: &mut S, bytes: &[u8]) -> Result<(), Box<Error>> {
        let mut transfer = Transfer::from_bytes(bytes);
        self.transfer(stepping, &mut transfer).and_then(|()| transfer.finish()).map(drop).map_err(unfit)
    }

    /// Transfers all data that persists from one communication point to the next.
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
