//! An instance that has been used is replaced by a new one, or reset where trials have shown that this is the same.

use lotka_instance::{CallResult, Instance, Phase};

use super::{
    replacement::{Renewal, Reset},
    reset_trial::{Trial, Verdict, compare},
    set_up::SetUp,
};
use crate::algorithm::Coupled;

/// Number of runs after which an instance is replaced without a trial: most simulations need no more.
const WITHOUT_TRIAL: u32 = 2;
/// Number of trials that must succeed, each after a whole run.
const TRIALS: u32 = 2;

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
