//! Return of instances to their initial state, before trials and runs.

use lotka_instance::{CallResult, Instance, Phase};

use super::Coupled;

/// Creates another instance of the same FMU with the same name; `None` if there may be only one, or if creation fails.
pub(crate) type Maker = Box<dyn Fn(usize) -> Option<Box<dyn Instance>> + Send>;

impl Coupled {
    /// Returns an instance to the state in which a run begins. It is reset unless it is unused. If the reset is refused, as by tools that never
    /// expect one, a new instance replaces it.
    ///
    /// # Errors
    /// It can be neither reset nor replaced, or its start values cannot be restored.
    pub(crate) fn begin_again(&mut self, index: usize) -> CallResult<()> {
        let instance = &mut self.instances[index].inner;
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
        self.exchange(index, another).free()?;
        let instance = &mut self.instances[index].inner;
        for saved in &mut self.saved.levels {
            if let Some(slot) = &mut saved.slots[index] {
                *slot = instance.new_slot()?;
            }
        }
        Ok(())
    }
}
