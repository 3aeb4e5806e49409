//! What a sampled instance knows besides the state of the wrapped one.

use std::collections::BTreeMap;

use lotka_instance::{BinaryRef, BooleanRef, CallResult, Instance, IntegerRef, Phase, RealRef, StringRef};
use serde::{Deserialize, Serialize};

/// The changing state of a sampled instance.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// Start time \[s\].
    pub(super) start: f64,
    /// The present time \[s\].
    pub(super) now: f64,
    /// Number of steps that the wrapped instance has made.
    pub(super) n_steps: u64,
    /// Whether it is in event mode.
    pub(super) is_in_event: bool,
    /// Whether it takes inputs: in event mode, at a sample.
    pub(super) takes: bool,
    /// Whether the wrapped instance accepts sizes that are off by the rounding of times, if one was tried.
    pub(super) is_rounding_accepted: Option<bool>,
    /// Whether the wrapped instance requests the end of the simulation.
    pub(super) terminates: bool,
    /// The values that it takes at its next sample.
    pub(super) waiting: Waiting,
}

/// The newest values of variables that were set between samples.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) reals: BTreeMap<RealRef, f64>,
    pub(super) integers: BTreeMap<IntegerRef, i128>,
    pub(super) booleans: BTreeMap<BooleanRef, bool>,
    pub(super) strings: BTreeMap<StringRef, String>,
    pub(super) binaries: BTreeMap<BinaryRef, Vec<u8>>,
}

impl Waiting {
    /// Sets the values in an instance; then none waits any more.
    pub(super) fn pass_on(&mut self, instance: &mut dyn Instance) -> CallResult<()> {
        for (reference, value) in std::mem::take(&mut self.reals) {
            instance.set_real(&[reference], &[value])?;
        }
        for (reference, value) in std::mem::take(&mut self.integers) {
            instance.set_integer(&[reference], &[value])?;
        }
        for (reference, value) in std::mem::take(&mut self.booleans) {
            instance.set_boolean(&[reference], &[value])?;
        }
        for (reference, value) in std::mem::take(&mut self.strings) {
            instance.set_string(&[reference], &[&value])?;
        }
        for (reference, value) in std::mem::take(&mut self.binaries) {
            instance.set_binary(&[reference], &[&value])?;
        }
        Ok(())
    }
}

/// A saved state.
#[derive(Debug, Clone)]
pub(super) struct Saved {
    pub(super) state: State,
    /// The state of the wrapped instance, by number.
    pub(super) content: u64,
    /// The phase of the wrapped instance, which errors change.
    pub(super) phase: Phase,
}

impl Saved {
    /// Whether the wrapped instance is in the same state.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.content, self.phase) == (other.content, other.phase)
    }
}

/// The slots of saved states; those of the wrapped instance have the same numbers.
#[derive(Debug, Default)]
pub(super) struct Slots(BTreeMap<u32, Option<Saved>>);

impl Slots {
    /// The lowest number that is not in use.
    pub(super) fn unused(&self) -> u32 {
        (0..).find(|number| !self.0.contains_key(number)).unwrap_or(u32::MAX)
    }

    /// Begins to use a slot, or empties it.
    pub(super) fn clear(&mut self, number: u32) {
        self.0.insert(number, None);
    }

    /// A slot that is in use.
    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Option<Saved>> {
        self.0.get_mut(&number)
    }

    /// The state in a slot.
    pub(super) fn saved(&self, number: u32) -> Option<&Saved> {
        self.0.get(&number)?.as_ref()
    }

    /// Frees a slot; whether it was in use.
    pub(super) fn free(&mut self, number: u32) -> bool {
        self.0.remove(&number).is_some()
    }
}
