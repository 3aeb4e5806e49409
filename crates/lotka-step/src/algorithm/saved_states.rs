//! Saved states of the coupled instances.

use std::sync::{Arc, Weak};

use lotka_instance::Slot;

use super::Signals;

/// Which saved state a rollback goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The last communication point.
    Communication,
    /// The point between two half steps.
    Middle,
}

/// The saved states of all instances.
pub(super) struct SavedStates {
    /// By level, for as many levels as are allocated.
    pub(super) levels: Vec<Saved>,
    /// States that a session keeps.
    pub(super) retained: Vec<RetainedSlots>,
    /// Time of the first of them \[s\]; infinite without one.
    pub(super) earliest_retained: f64,
    /// The earliest time to which states may be restored \[s\]; infinite without one.
    pub(super) restorable: f64,
    /// Whether an instance does not return exactly to its saved states.
    pub(super) is_inexact: bool,
}

impl Default for SavedStates {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            retained: Vec::new(),
            earliest_retained: f64::INFINITY,
            restorable: f64::INFINITY,
            is_inexact: false,
        }
    }
}

pub(super) struct Saved {
    /// Per instance; `None` where it cannot be rolled back.
    pub(super) slots: Vec<Option<Slot>>,
    pub(super) signals: Signals,
}

/// A state of all instances; its slots are used again once it is dropped.
#[derive(Debug, Clone)]
pub struct RetainedState {
    pub(super) number: usize,
    pub(super) holder: Arc<()>,
}

/// The slots of a kept state.
pub(super) struct RetainedSlots {
    /// Per instance; `None` where it cannot save its state.
    pub(super) slots: Vec<Option<Slot>>,
    pub(super) holder: Weak<()>,
    /// The time of the state \[s\].
    pub(super) t: f64,
}
