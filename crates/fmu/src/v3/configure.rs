//! Configuration mode: instances take the values of structural parameters, before anything else.

use fmi3::Function;
use lotka_instance::{CallError, CallResult};

use super::FmuInstance;
use crate::{Error, instance::Imported};

impl FmuInstance {
    /// Sets the structural parameters of a new or reset instance. Arrays have their sizes afterwards.
    pub(super) fn configure(&mut self) -> CallResult<()> {
        let shared = self.calls.shared.clone();
        let structure = &shared.version.structure;
        if structure.is_empty() {
            return Ok(());
        }
        self.check(Function::EnterConfigurationMode)?;
        let reply = self.calls.enter_configuration_mode();
        self.settle(Function::EnterConfigurationMode, reply)?;
        structure.values().try_for_each(|(reference, value)| value.set(self, reference))?;
        self.check(Function::ExitConfigurationMode)?;
        let reply = self.calls.exit_configuration_mode();
        self.settle(Function::ExitConfigurationMode, reply)
    }

    /// The reason why an instance cannot be created.
    pub(super) fn not_configured(&self, failure: Box<CallError>) -> Error {
        let shared = &self.calls.shared;
        Error::Configure { failure, values: shared.version.structure.describe(&shared.interface) }
    }
}
