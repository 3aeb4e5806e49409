//! States of single instances, for trials.

use lotka_instance::{CallResult, Slot};
use lotka_step::algorithm::Coupled;

/// Saves the state of an instance, with the inputs of the communication point.
///
/// # Errors
/// The instance cannot save its state.
pub fn save(coupled: &mut Coupled, index: usize) -> CallResult<Slot> {
    coupled.set_discrete_inputs(index, false)?;
    let instance = &mut coupled.instances[index].inner;
    let slot = instance.new_slot()?;
    instance.save(slot)?;
    Ok(slot)
}
