//! Support of a simulation for checkpoints.

use lotka_step::{
    checkpoint::{CheckpointRefusal, Incapable},
    model::Model,
    resolved,
};

use super::{Checkpoint, Simulation};

impl Simulation {
    /// Checks that runs can write checkpoints and resume from them.
    ///
    /// # Errors
    /// The run has a `tolerance`, or a model does not serialize the state of its instances.
    pub fn check_checkpoints(&self) -> Result<(), CheckpointRefusal> {
        if matches!(self.system.resolved.experiment.stepping, resolved::Stepping::Verified(_)) {
            return Err(CheckpointRefusal::Verified);
        }
        let pairs = self.set_factory.names.iter().zip(&self.set_factory.fmus);
        let incapable: Vec<_> = pairs.filter_map(|(instance, fmu)| Some(Incapable::new(instance, lacking(fmu)?))).collect();
        if incapable.is_empty() { Ok(()) } else { Err(CheckpointRefusal::Incapable(incapable)) }
    }

    /// Adopts the contents of a checkpoint, if it fits this system.
    pub(super) fn accept(&mut self, checkpoint: &Checkpoint) -> Result<(), CheckpointRefusal> {
        self.check_checkpoints()?;
        if self.adopt(&checkpoint.contents.prepared) { Ok(()) } else { Err(CheckpointRefusal::Unfit) }
    }
}

/// The flag or function that an FMU lacks to serialize its state.
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
