//! Return of instances to their initial state, before trials and runs.
//!
//! Not every FMU resets all that it keeps. An instance that has been used is therefore replaced by a new one, unless trials after
//! whole runs have shown that it is like a new one after a reset ([`reset_trial`](super::reset_trial)).

use lotka_instance::{Instance, ModelDescription};

/// Makes instances like those of a simulation.
pub trait Maker: Send {
    /// Another instance with the same name; `None` if there may be only one, or if instantiation fails.
    fn make(&self, index: usize) -> Option<Box<dyn Instance>>;
    /// Does the same, for a trial: nobody hears what it logs.
    fn make_for_trial(&self, index: usize) -> Option<Box<dyn Instance>>;
    /// The model description of an instance.
    fn description(&self, index: usize) -> &ModelDescription;
    /// Does something while nobody hears what instances log.
    fn unheard(&self, act: &mut dyn FnMut());
}

/// How instances return to their initial state.
pub struct Renewal {
    pub(super) maker: Box<dyn Maker>,
    /// What is known about the reset of each instance.
    pub(super) resets: Vec<Reset>,
    /// Size of the steps of a trial \[s\].
    pub(super) trial_step: f64,
}

/// What is known about the reset of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reset {
    /// Nothing; it was replaced after so many runs.
    Unknown(u32),
    /// So many trials have succeeded.
    Tried(u32),
    /// It is like a new one after a reset.
    Complete,
    /// It is not, or it cannot be shown.
    Doubtful,
}

impl Renewal {
    /// For so many instances.
    #[must_use]
    pub fn new(maker: Box<dyn Maker>, count: usize, trial_step: f64) -> Self {
        Self { maker, resets: vec![Reset::Unknown(0); count], trial_step }
    }

    /// Another instance with the same name; `None` if there may be only one, or if instantiation fails.
    #[must_use]
    pub fn make(&self, index: usize) -> Option<Box<dyn Instance>> {
        self.maker.make(index)
    }

    /// Does the same, for a trial: nobody hears what it logs.
    #[must_use]
    pub fn make_for_trial(&self, index: usize) -> Option<Box<dyn Instance>> {
        self.maker.make_for_trial(index)
    }

    /// The model description of an instance.
    #[must_use]
    pub fn description(&self, index: usize) -> &ModelDescription {
        self.maker.description(index)
    }

    /// Does something while nobody hears what instances log.
    pub fn unheard(&self, act: &mut dyn FnMut()) {
        self.maker.unheard(act);
    }

    /// Forgets what is known about an instance, because it will begin with other values.
    pub fn forget(&mut self, index: usize) {
        self.resets[index] = Reset::Unknown(0);
    }
}
