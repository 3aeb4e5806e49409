//! Return of instances to their initial state, before trials and runs.
//!
//! Not every FMU resets all that it keeps. An instance that has been used is therefore replaced by a new one, unless trials after whole runs have shown
//! that it is like a new one after a reset ([`reset_trial`](super::reset_trial)).

use lotka_instance::{CallResult, Instance, ModelDescription, Phase};

use super::{
    reset_trial::{Trial, Verdict, compare},
    set_up::SetUp,
};
use crate::algorithm::Coupled;

/// Number of runs after which an instance is replaced without a trial: most simulations need no more.
const WITHOUT_TRIAL: u32 = 2;
/// Number of trials that must succeed, each after a whole run.
const TRIALS: u32 = 2;

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
    maker: Box<dyn Maker>,
    /// What is known about the reset of each instance.
    resets: Vec<Reset>,
    /// Size of the steps of a trial \[s\].
    trial_step: f64,
}

/// What is known about the reset of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reset {
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

/// Returns an instance to the state in which a run begins.
///
/// An instance for which there can be no other one, as its FMU permits one per process or refuses another one, is reset.
///
/// # Errors
/// It can be neither replaced nor reset, or its process has ended.
pub fn begin_again(coupled: &mut Coupled, index: usize, set_up: &SetUp) -> CallResult<()> {
    let phase = coupled.instances[index].inner.phase();
    if phase == Phase::Instantiated {
        return Ok(());
    }
    if phase == Phase::Fatal {
        return coupled.instances[index].inner.reset();
    }
    let Some(mut renewal) = coupled.renewal.take() else { return coupled.instances[index].inner.reset() };
    let result = renewal.apply(coupled, index, set_up);
    coupled.renewal = Some(renewal);
    result
}

impl Renewal {
    fn apply(&mut self, coupled: &mut Coupled, index: usize, set_up: &SetUp) -> CallResult<()> {
        let instance = &mut coupled.instances[index].inner;
        if self.resets[index] == Reset::Complete && instance.reset().is_ok() {
            return Ok(());
        }
        let Some(another) = self.maker.make(index) else { return instance.reset() };
        let mut former = coupled.exchange(index, another)?;
        // What preparations and runs that failed leave behind shows too little.
        if former.phase() == Phase::Terminated {
            self.resets[index] = match self.resets[index] {
                Reset::Unknown(count) if count < WITHOUT_TRIAL => Reset::Unknown(count + 1),
                Reset::Unknown(_) => self.try_reset(&mut *former, coupled, index, set_up, 0),
                Reset::Tried(count) => self.try_reset(&mut *former, coupled, index, set_up, count),
                known => known,
            };
        }
        // The run before is complete: it does not matter to the next one how its instance ends, or what it logs then.
        let mut former = Some(former);
        self.maker.unheard(&mut || drop(former.take().map(Instance::free)));
        Ok(())
    }

    /// Whether a used instance is like a new one after its reset; `count` trials have shown it before.
    fn try_reset(&self, used: &mut dyn Instance, coupled: &Coupled, index: usize, set_up: &SetUp, count: u32) -> Reset {
        let Some(mut new) = self.maker.make_for_trial(index) else { return Reset::Doubtful };
        let trial = Trial {
            description: self.maker.description(index),
            set_up,
            plan: &coupled.plan.instances[index],
            inputs: coupled.inputs_of(index),
            h: self.trial_step,
        };
        let mut verdict = Verdict::Different;
        self.maker.unheard(&mut || {
            if used.reset().is_ok() {
                verdict = compare(used, &mut *new, &trial);
            }
        });
        match verdict {
            Verdict::Same if count + 1 < TRIALS => Reset::Tried(count + 1),
            Verdict::Same => Reset::Complete,
            Verdict::Different => Reset::Doubtful,
            Verdict::Unknown => Reset::Tried(count),
        }
    }
}
