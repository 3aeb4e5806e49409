//! The name of an instance, and its log.

use super::single::Single;
use crate::{
    last_call::Named,
    log::{Environment, Journal},
    v3::Gate,
};

/// The name of an instance and its log. When dropped, releases the receiver of the log, and the right to the only instance.
pub(crate) struct Identity {
    pub(crate) name: String,
    pub(super) environment: &'static Environment,
    pub(super) _named: Option<Named>,
    pub(super) _single: Option<Single>,
}

impl Identity {
    pub(crate) fn journal(&self) -> &'static Journal {
        self.environment.journal()
    }

    /// The step during which an FMU of FMI 3.0 calls back.
    pub(crate) fn gate(&self) -> &'static Gate {
        self.environment.gate()
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        self.journal().close();
    }
}
