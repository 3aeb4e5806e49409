//! States of single instances, for trials.

use lotka_instance::{CallResult, Slot};

use crate::algorithm::Coupled;

/// Saves the state of an instance, with the inputs of the communication point.
pub(super) fn save(coupled: &mut Coupled, index: usize) -> CallResult<Slot> {
    coupled.set_discrete_inputs(index, false)?;
    let instance = &mut coupled.instances[index].inner;
    let slot = instance.new_slot()?;
    instance.save(slot)?;
    Ok(slot)
}
