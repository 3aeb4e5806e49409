//! The behavior of an instance with respect to its inputs, found by trial steps before the first step.
//!
//! An instance that can save its state makes them itself and returns to that state. For any other one, instances that are thrown
//! away make them.

use lotka_instance::{CallResult, Instance, Slot, StepOutcome};
use lotka_step::{
    Error,
    algorithm::{Coupled, Signals, exchange_at_once},
    renewal::SetUp,
};

use crate::initialize::{end_stand_in, set_starts, stand_in};

/// Relative changes of inputs, tried until the instance accepts two of them: the domain of an input may end at its value.
const SHARES: [f64; 4] = [0.25, -0.125, 0.125, -0.25];

/// Larger changes, with opposite signs for neighboring inputs: in a dead zone or beyond a limit, outputs do not show what the
/// instance does elsewhere.
const LARGER: [f64; 4] = [-0.5, -1.0, 3.0, -2.0];

/// The results of the trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Behavior {
    /// Whether the instance has no state: after different inputs, the same input yields bitwise the same outputs.
    pub(crate) is_memoryless: bool,
    /// Whether outputs read after setting inputs are those of the new inputs.
    pub(crate) recomputes: bool,
    /// Whether an instance that cannot save its state permits that its outputs are read after its inputs were set.
    pub(crate) accepts_rereading: bool,
    /// Whether no trial was possible, although its results matter.
    pub(crate) is_untested: bool,
}

/// The trials of a system.
#[derive(Debug, Clone, Copy)]
pub struct Trials<'a> {
    /// One per instance.
    pub set_up: &'a [SetUp],
    /// The first communication point, and the size of the steps \[s\].
    pub t: f64,
    /// Size of the trial steps \[s\].
    pub h: f64,
    /// Whether inputs or parameters may jump.
    pub jumps: bool,
}

/// Whether an instance is tried: it may have direct feedthrough, if that matters, or jumps may reach it and its state cannot be
/// saved.
pub(super) fn is_tried(coupled: &Coupled, index: usize, feedthrough: bool, jumps: bool) -> bool {
    let instance_plan = &coupled.plan.instances[index];
    let saves = || coupled.instances[index].inner.capabilities().save_state;
    feedthrough && instance_plan.has_feedthrough && !instance_plan.outputs.is_empty()
        || jumps && instance_plan.follows_at_once && instance_plan.writes() && !saves()
}

/// Tries instances; whether their direct feedthrough matters is in `feedthrough`. Afterwards all of them are in their original
/// state.
///
/// # Errors
/// A state cannot be saved or restored. Any other refusal of an instance yields no result.
pub(crate) fn probe(coupled: &mut Coupled, trials: &Trials<'_>, feedthrough: bool) -> Result<Vec<Behavior>, Box<Error>> {
    let mut behaviors = vec![Behavior::default(); coupled.instances.len()];
    for (index, behavior) in behaviors.iter_mut().enumerate().take(coupled.plan.n_stepping) {
        if is_tried(coupled, index, feedthrough, trials.jumps) {
            *behavior = probe_one(coupled, index, trials).map_err(|error| Box::new(Error::Initialization(error)))?;
        }
    }
    Ok(behaviors)
}

fn probe_one(coupled: &mut Coupled, index: usize, trials: &Trials<'_>) -> CallResult<Behavior> {
    let inputs = coupled.inputs_of(index);
    let Some(mut trial) = BehaviorTrial::begin(coupled, index, trials)? else {
        return Ok(Behavior { is_untested: true, ..Behavior::default() });
    };
    let accepts_rereading = trial.accepts_rereading();
    let has_feedthrough = trial.coupled.plan.instances[index].has_feedthrough;
    let recomputes = trial.recomputes(&changed(&inputs, SHARES[0])) || has_feedthrough && trial.recomputes_elsewhere(&inputs)?;
    let is_memoryless = has_feedthrough && trial.is_memoryless(&inputs)?;
    trial.end()?;
    Ok(Behavior { is_memoryless, recomputes, accepts_rereading, is_untested: false })
}

fn bits(values: &[f64]) -> impl Iterator<Item = u64> {
    values.iter().map(|value| value.to_bits())
}

/// Returns other inputs of about the same size; zeros are replaced by the share itself.
pub(super) fn changed(inputs: &[f64], share: f64) -> Vec<f64> {
    inputs.iter().map(|value| if *value == 0.0 { share } else { value * (1.0 + share) }).collect()
}

/// Returns inputs that are changed alternately by a share and its opposite.
fn spread(inputs: &[f64], share: f64) -> Vec<f64> {
    let changed = |(number, value): (usize, &f64)| changed(&[*value], if number % 2 == 0 { share } else { -share })[0];
    inputs.iter().enumerate().map(changed).collect()
}

/// Trial steps of an instance with other inputs.
struct BehaviorTrial<'a> {
    coupled: &'a mut Coupled,
    index: usize,
    set_up: &'a SetUp,
    t: f64,
    h: f64,
    outputs: Vec<f64>,
    origin: Origin,
    /// The values of all signals before the trials.
    signals: Signals,
}

/// The state to which an instance returns.
enum Origin {
    Saved(Slot),
    /// The instance that others stand in for.
    Instance(Box<dyn Instance>),
}

impl<'a> BehaviorTrial<'a> {
    /// Saves the state of the instance, or has another one stand in for it; `None` if neither is possible.
    fn begin(coupled: &'a mut Coupled, index: usize, trials: &Trials<'a>) -> CallResult<Option<Self>> {
        let set_up = &trials.set_up[index];
        let instance = &mut coupled.instances[index].inner;
        let origin = if instance.capabilities().save_state {
            let slot = instance.new_slot()?;
            instance.save(slot)?;
            Origin::Saved(slot)
        } else {
            let Some(former) = stand_in(coupled, index, set_up) else { return Ok(None) };
            Origin::Instance(former)
        };
        let outputs = coupled.newest.reals[coupled.plan.instances[index].outputs.clone()].to_vec();
        let signals = coupled.newest.clone();
        Ok(Some(Self { coupled, index, set_up, t: trials.t, h: trials.h, outputs, origin, signals }))
    }

    /// Returns to the state before the trials. Returns false if no other instance can stand in.
    fn begin_again(&mut self) -> CallResult<bool> {
        match self.origin {
            Origin::Saved(slot) => self.coupled.instances[self.index].inner.restore(slot).map(|()| true),
            Origin::Instance(_) => {
                let used = stand_in(self.coupled, self.index, self.set_up);
                let can = used.is_some();
                // How it ends does not matter.
                let _ = used.map(Instance::free);
                Ok(can)
            }
        }
    }

    fn end(self) -> CallResult<()> {
        match self.origin {
            Origin::Saved(slot) => {
                let instance = &mut self.coupled.instances[self.index].inner;
                instance.restore(slot)?;
                instance.free_slot(slot)
            }
            Origin::Instance(former) => {
                end_stand_in(self.coupled, self.index, former, self.set_up);
                Ok(())
            }
        }
    }

    /// Whether the inputs of an instance that stands in can be set and its outputs read then.
    fn accepts_rereading(&mut self) -> bool {
        let accepts = matches!(self.origin, Origin::Instance(_))
            && set_starts(self.coupled, self.index).and_then(|()| self.coupled.exchange_now(self.index)).is_ok();
        self.coupled.newest.clone_from(&self.signals);
        accepts
    }

    /// Whether reading after setting these inputs returns other outputs than before.
    fn recomputes(&mut self, inputs: &[f64]) -> bool {
        let instance_plan = &self.coupled.plan.instances[self.index];
        let instance = &mut self.coupled.instances[self.index].inner;
        let read = exchange_at_once(instance.as_mut(), instance_plan, inputs, &mut self.outputs);
        read.is_ok() && !bits(&self.outputs).eq(bits(&self.signals.reals[instance_plan.outputs.clone()]))
    }

    /// The same with inputs that differ more, for an instance that saves its state.
    fn recomputes_elsewhere(&mut self, inputs: &[f64]) -> CallResult<bool> {
        let Origin::Saved(slot) = self.origin else { return Ok(false) };
        for share in LARGER {
            self.coupled.instances[self.index].inner.restore(slot)?;
            if self.recomputes(&spread(inputs, share)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the same inputs yield bitwise the same outputs after different ones; these inputs, and others if the state can be
    /// saved.
    fn is_memoryless(&mut self, inputs: &[f64]) -> CallResult<bool> {
        let larger: &[f64] = if matches!(self.origin, Origin::Saved(_)) { &LARGER } else { &[] };
        if self.repeats(inputs)? != Some(true) {
            return Ok(false);
        }
        for share in larger {
            if self.repeats(&spread(inputs, *share))? == Some(false) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same with one set of inputs; `None` if steps are refused.
    fn repeats(&mut self, inputs: &[f64]) -> CallResult<Option<bool>> {
        let mut results = Vec::new();
        for share in SHARES {
            if results.len() < 2 && self.begin_again()? {
                results.extend(self.after_another(&changed(inputs, share), inputs));
            }
        }
        let [first, second] = results.as_slice() else { return Ok(None) };
        Ok(Some(bits(first).eq(bits(second))))
    }

    /// Outputs after a step with `other` inputs and one with `inputs`; `None` if a step is refused.
    fn after_another(&mut self, other: &[f64], inputs: &[f64]) -> Option<Vec<f64>> {
        self.step(other, self.t, true)?;
        self.step(inputs, self.t + self.h, false)?;
        Some(self.outputs.clone())
    }

    fn step(&mut self, inputs: &[f64], t: f64, commit: bool) -> Option<()> {
        let instance = &mut self.coupled.instances[self.index];
        instance.calls.steps += 1;
        let commit = commit || matches!(self.origin, Origin::Instance(_));
        let outcome = instance.inner.step(inputs, t, self.h, commit, &mut self.outputs);
        matches!(outcome, Ok(StepOutcome::Complete)).then_some(())
    }
}
