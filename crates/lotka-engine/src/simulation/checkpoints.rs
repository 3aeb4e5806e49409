//! Checkpoints of a run: made at a communication point, and gone on from.
//!
//! A checkpoint is made where a step begins, before anything is done for it. A run that goes on from it begins there, so that all that
//! is to be carried over is what lives from one communication point to the next.

use super::{Simulation, driver::Driver, inputs::ResolvedInputs, model::Model, prepare::Prepared, stepping::Stepping};
use crate::{
    Error,
    algorithm::{Coupled, Level},
    checkpoint::{
        Checkpoint, CheckpointRefusal, CheckpointToken, Contents, Incapable, Mismatch, Persistent as _, Transfer, Transferred,
    },
    record::Event,
    resolved,
};

/// What a run needs to make checkpoints.
#[derive(Clone, Copy)]
pub(crate) struct Keeping<'a> {
    pub(super) token: &'a CheckpointToken,
    pub(super) origin: &'a [u8],
    pub(super) prepared: &'a Prepared,
}

/// The same when its inputs are settled.
pub(crate) struct CheckpointWriter<'a> {
    keeping: Keeping<'a>,
    settled: ResolvedInputs,
}

impl<'a> CheckpointWriter<'a> {
    /// Makes room for the states of the instances.
    pub(super) fn new(keeping: Keeping<'a>, settled: &ResolvedInputs, coupled: &mut Coupled) -> Result<Self, Box<Error>> {
        coupled.allow_rollback(Level::Communication).map_err(|error| Box::new(Error::Initialization(error)))?;
        Ok(Self { keeping, settled: settled.clone() })
    }
}

impl Simulation {
    /// Whether checkpoints can be made of runs and gone on from.
    ///
    /// # Errors
    /// The run has a `tolerance`, or a model does not serialize the state of its instances.
    pub fn check_checkpoints(&self) -> Result<(), CheckpointRefusal> {
        if matches!(self.scenario.resolved.experiment.stepping, resolved::Stepping::Verified(_)) {
            return Err(CheckpointRefusal::Verified);
        }
        let pairs = self.set_factory.names.iter().zip(&self.set_factory.fmus);
        let incapable: Vec<_> =
            pairs.filter_map(|(instance, fmu)| Some(Incapable { instance: instance.clone(), lacking: lacking(fmu)? })).collect();
        if incapable.is_empty() { Ok(()) } else { Err(CheckpointRefusal::Incapable(incapable)) }
    }

    /// Takes over what a checkpoint knows, if it fits this system.
    pub(super) fn accept(&mut self, checkpoint: &Checkpoint) -> Result<(), CheckpointRefusal> {
        self.check_checkpoints()?;
        if self.adopt(&checkpoint.contents.prepared) { Ok(()) } else { Err(CheckpointRefusal::Unfit) }
    }
}

/// What an FMU lacks to serialize its state: a flag, or a function in spite of the flag.
fn lacking(fmu: &Model) -> Option<&'static str> {
    let declared = &fmu.description().capabilities;
    match fmu.capabilities() {
        capabilities if capabilities.save_state && capabilities.serialize_state => None,
        _ if !declared.save_state => Some("canGetAndSetFMUstate"),
        _ if !declared.serialize_state => Some("canSerializeFMUstate"),
        capabilities if !capabilities.save_state => Some("a function that saves, restores or frees states"),
        _ => Some("a function that serializes or deserializes states"),
    }
}

impl Driver<'_, '_> {
    /// Makes a checkpoint if somebody asks for one, or the run ends here before its time.
    #[inline(always)]
    pub(super) fn keep_if_asked<S: Stepping>(&mut self, stepping: &mut S) -> Result<(), Box<Error>> {
        // What is known of an event that is still to be told would be lost.
        let is_asked = |checkpoint_writer: &CheckpointWriter<'_>| {
            !self.is_amid_event() && (checkpoint_writer.keeping.token.take() || self.cancel.is_canceled())
        };
        if self.checkpoint_writer.as_ref().is_some_and(is_asked) { self.keep(stepping) } else { Ok(()) }
    }

    #[cold]
    fn keep<S: Stepping>(&mut self, stepping: &mut S) -> Result<(), Box<Error>> {
        // What waits here is told before: the run that goes on does not know of it.
        self.drain_log();
        let instances = self.coupled.serialize()?;
        let mut transfer = Transfer::out();
        let state = self.transfer(stepping, &mut transfer).and_then(|()| transfer.finish()).map_err(unfit)?;
        let Some(CheckpointWriter { keeping, settled }) = &self.checkpoint_writer else { return Ok(()) };
        let checkpoint = Checkpoint::new(
            keeping.origin.to_vec(),
            Contents {
                time: self.time,
                rows: self.n_rows,
                prepared: keeping.prepared.clone(),
                settled: settled.clone(),
                state,
                instances,
            },
        );
        self.emit(&Event::Checkpoint(&checkpoint));
        Ok(())
    }

    /// Goes to where a checkpoint was made.
    #[cold]
    pub(super) fn recall<S: Stepping>(&mut self, stepping: &mut S, contents: &Contents) -> Result<(), Box<Error>> {
        self.coupled.deserialize(&contents.instances)?.map_err(unfit)?;
        let mut transfer = Transfer::from_bytes(&contents.state);
        self.transfer(stepping, &mut transfer).and_then(|()| transfer.finish()).map_err(unfit)?;
        if let Some(schedule) = &mut self.schedule {
            schedule.pass(self.time);
            self.coupled.recall_overrides(schedule.latest(self.time))?;
        }
        // What the instances logged on their way here, the run before has told.
        self.log.take();
        Ok(())
    }

    /// All that lives from one communication point to the next.
    fn transfer<S: Stepping>(&mut self, stepping: &mut S, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.t)?;
        transfer.value(&mut self.time)?;
        transfer.value(&mut self.n_rows)?;
        transfer.value(&mut self.counters)?;
        transfer.value(&mut self.n_tolerated)?;
        transfer.value(&mut self.unconverged)?;
        transfer.value(&mut self.largest_error)?;
        transfer.value(&mut self.warnings)?;
        transfer.value(&mut self.odd_columns)?;
        transfer.value(&mut self.last_lines)?;
        transfer.value(&mut self.shortened)?;
        stepping.transfer(transfer)?;
        self.method.transfer(transfer)?;
        self.coupled.transfer(transfer)?;
        transfer.optional(self.events.as_deref_mut())
    }
}

#[cold]
fn unfit(_: Mismatch) -> Box<Error> {
    Box::new(CheckpointRefusal::Unfit.into())
}
