//! Instances that begin again, before trials and runs.

use lotka_instance::{CallResult, Instance, Phase};

use super::Coupled;

/// Makes another instance of the same FMU with the same name; `None` if there may be only one, or it fails.
pub(crate) type Maker = Box<dyn Fn(usize) -> Option<Box<dyn Instance>> + Send>;

impl Coupled {
    /// Brings an instance to where a run begins. It is reset, unless nothing was done with it; where that is refused, as by tools that never
    /// expect it, another one takes its place.
    ///
    /// # Errors
    /// It cannot be reset, and no other one can be made; or what it was given cannot be taken back.
    pub(crate) fn begin_again(&mut self, index: usize) -> CallResult<()> {
        let instance = &mut self.members[index].instance;
        if instance.phase() == Phase::Instantiated {
            return Ok(());
        }
        let Err(refused) = instance.reset() else { return Ok(()) };
        let is_over = matches!(
            refused.cause,
            lotka_instance::Cause::ProcessEnded(_) | lotka_instance::Cause::Status(lotka_instance::Status::Fatal)
        );
        let another = self.maker.as_ref().filter(|_| !is_over).and_then(|make| make(index));
        let Some(another) = another else { return Err(refused) };
        std::mem::replace(&mut self.members[index].instance, another).free()?;
        let instance = &mut self.members[index].instance;
        for saved in &mut self.saved.levels {
            if let Some(slot) = &mut saved.slots[index] {
                *slot = instance.new_slot()?;
            }
        }
        Ok(())
    }
}
