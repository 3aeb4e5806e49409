//! The process of an FMU as the system shows it to others.

use std::process;

use lotka_instance::InstanceFactory;

use super::super::test_harness::TestHarness;
use crate::platform::{Facts, children, name};

/// The process in which the next instance will be.
pub(super) struct Host(u32);

impl Host {
    /// Starts the process of the next instance, which is then the only child of this process that was not there before.
    pub fn prepare(harness: &TestHarness) -> Option<Self> {
        let before = children(process::id());
        InstanceFactory::prepare(&harness.fmu);
        let after = children(process::id());
        let mut new = after.difference(&before);
        new.next().copied().filter(|_| new.next().is_none()).map(Self)
    }

    pub fn facts(&self) -> Option<Facts> {
        Facts::of(self.0)
    }

    /// Names of the processes that it started and that still run.
    pub fn started(&self) -> Vec<String> {
        children(self.0).into_iter().filter_map(name).collect()
    }
}

/// What this process passes on to those that it starts.
pub(super) fn inherited() -> Option<Facts> {
    Facts::of(process::id())
}
