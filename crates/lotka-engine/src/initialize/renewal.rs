//! Return of instances to their initial state, before trials and runs.
//!
//! Not every FMU resets all that it keeps. An instance that has been used is therefore replaced by a new one, unless trials have shown for its model that
//! reset instances answer like new ones ([`reset_trial`]).

use lotka_instance::{CallResult, Instance, ModelDescription, Phase};

use super::{
    reset_trial::{Trial, answers_like_a_new_one},
    set_up::SetUp,
};
use crate::algorithm::Coupled;

/// Number of times that an instance is replaced without a trial: most simulations need no more.
const WITHOUT_TRIAL: u32 = 2;
/// Number of trials that must succeed, each with an instance that was used in a run or a part of one.
const TRIALS: u32 = 2;

/// Makes instances like those of a simulation.
pub(crate) trait Maker: Send {
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
pub(crate) struct Renewal {
    maker: Box<dyn Maker>,
    /// The model of each instance.
    models: Vec<usize>,
    /// What is known about the reset of each model.
    resets: Vec<Reset>,
    /// Number of replacements of each instance.
    replacements: Vec<u32>,
    /// Size of the steps of a trial \[s\].
    trial_step: f64,
}

/// What is known about the reset of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reset {
    /// So many trials have succeeded.
    Tried(u32),
    /// Reset instances answer like new ones.
    Complete,
    /// They do not, or it cannot be shown.
    Doubtful,
}

impl Renewal {
    /// `models` numbers the models of all instances, from 0.
    pub(crate) fn new(maker: Box<dyn Maker>, models: Vec<usize>, trial_step: f64) -> Self {
        let resets = vec![Reset::Tried(0); models.iter().max().map_or(0, |last| last + 1)];
        Self { maker, replacements: vec![0; models.len()], models, resets, trial_step }
    }
}

/// Returns an instance to the state in which a run begins.
///
/// An instance for which there can be no other one, because its FMU permits one per process, is reset.
///
/// # Errors
/// It can be neither replaced nor reset, or its process has ended.
pub(super) fn begin_again(coupled: &mut Coupled, index: usize, set_up: &SetUp) -> CallResult<()> {
    let phase = coupled.instances[index].inner.phase();
    if phase == Phase::Instantiated {
        return Ok(());
    }
    let Some(mut renewal) = coupled.renewal.take().filter(|_| phase != Phase::Fatal) else {
        return coupled.instances[index].inner.reset();
    };
    let result = renewal.apply(coupled, index, set_up);
    coupled.renewal = Some(renewal);
    result
}

impl Renewal {
    fn apply(&mut self, coupled: &mut Coupled, index: usize, set_up: &SetUp) -> CallResult<()> {
        let reset = self.resets[self.models[index]];
        let instance = &mut coupled.instances[index].inner;
        if reset == Reset::Complete && instance.reset().is_ok() {
            return Ok(());
        }
        let Some(another) = self.maker.make(index) else { return instance.reset() };
        let mut former = coupled.exchange(index, another)?;
        if let Reset::Tried(count) = reset
            && self.replacements[index] >= WITHOUT_TRIAL
        {
            let is_complete = self.try_reset(&mut *former, coupled, index, set_up);
            self.resets[self.models[index]] = match is_complete {
                false => Reset::Doubtful,
                true if count + 1 < TRIALS => Reset::Tried(count + 1),
                true => Reset::Complete,
            };
        }
        self.replacements[index] += 1;
        former.free()
    }

    /// Whether a used instance answers like a new one after its reset.
    fn try_reset(&self, used: &mut dyn Instance, coupled: &Coupled, index: usize, set_up: &SetUp) -> bool {
        let Some(mut new) = self.maker.make_for_trial(index) else { return false };
        let trial = Trial {
            description: self.maker.description(index),
            set_up,
            plan: &coupled.plan.instances[index],
            inputs: coupled.inputs_of(index),
            h: self.trial_step,
        };
        let mut is_complete = false;
        self.maker.unheard(&mut || is_complete = used.reset().is_ok() && answers_like_a_new_one(used, &mut *new, &trial));
        is_complete
    }
}
