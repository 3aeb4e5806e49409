//! Event mode: events of the instance, and changes of inputs that are allowed there only.
//!
//! An instance that uses event mode stops where it needs it: at a state event of a step, or at the time event that it announced.
//! Steps then return [`StepOutcome::Event`](lotka_instance::StepOutcome) until the event is handled. Discrete inputs that are set
//! between steps are announced here, so that a caller need not know which of them changed.

use fmi3::{Function, ffi::boolean};
use lotka_instance::{CallResult, Cause, DiscreteUpdate, Instance, Phase, RealRef};

use super::FmuInstance;
use crate::instance::{Imported, NextEvent};

/// Largest number of updates of discrete states at one time.
const MOST_UPDATES: u32 = 100;

impl FmuInstance {
    pub(super) fn begin_event(&mut self) -> CallResult<()> {
        self.check_capability(Function::EnterEventMode, self.uses_event_mode)?;
        let reply = self.calls.enter_event_mode();
        self.settle(Function::EnterEventMode, reply)?;
        self.progress.phase = Phase::Event;
        self.progress.next_event = NextEvent::UNKNOWN;
        self.n_updates = 0;
        Ok(())
    }

    pub(super) fn update_states(&mut self) -> CallResult<DiscreteUpdate> {
        const FUNCTION: Function = Function::UpdateDiscreteStates;
        self.check_capability(FUNCTION, self.uses_event_mode)?;
        let (reply, updated) = self.calls.update_discrete_states();
        self.settle(FUNCTION, reply)?;
        self.n_updates += 1;
        if boolean(updated.needs_update) && self.n_updates >= MOST_UPDATES {
            let what = format!(
                "discreteStatesNeedUpdate, after {MOST_UPDATES} updates at the same time: the events of the FMU never end (Zeno)"
            );
            return Err(self.error(FUNCTION, Cause::BadReply(what)));
        }
        let next_event_time = boolean(updated.is_event_time_defined).then_some(updated.next_event_time);
        self.progress.next_event = match next_event_time {
            None => NextEvent::UNKNOWN,
            Some(time) if time >= self.progress.time => NextEvent::at(time),
            Some(time) => {
                let what = format!("nextEventTime is {time}, which is not after the present time {}", self.progress.time);
                return Err(self.error(FUNCTION, Cause::BadReply(what)));
            }
        };
        let (needs_update, terminate) = (boolean(updated.needs_update), boolean(updated.terminate_simulation));
        self.progress.requests_end |= terminate;
        Ok(DiscreteUpdate { needs_update, terminate, next_event_time })
    }

    pub(super) fn end_event(&mut self) -> CallResult<()> {
        self.check_capability(Function::EnterStepMode, self.uses_event_mode)?;
        let reply = self.calls.enter_step_mode();
        self.settle(Function::EnterStepMode, reply)?;
        self.progress.phase = Phase::StepComplete;
        Ok(())
    }

    /// Whether discrete variables that are set now may change in event mode only, which the instance must enter for that.
    pub(super) fn may_announce(&self) -> bool {
        self.uses_event_mode && self.progress.phase == Phase::StepComplete
    }

    /// Whether there are discrete variables among these, and they may change in event mode only.
    pub(super) fn must_announce(&self, references: &[RealRef]) -> bool {
        let discrete = &self.calls.shared.version.discrete;
        self.may_announce() && references.iter().any(|reference| discrete.contains(&reference.0))
    }

    /// Sets variables in event mode if they change. If the FMU then requests the end of the simulation, its next step does so.
    pub(super) fn announce(&mut self, changes: bool, set: impl FnOnce(&mut Self) -> CallResult<()>) -> CallResult<()> {
        if !changes {
            return Ok(());
        }
        self.begin_event()?;
        set(self)?;
        while self.update_states()?.needs_update {}
        self.end_event()
    }

    /// Sets Real variables, some of which may change in event mode only.
    pub(super) fn set_mixed(&mut self, references: &[RealRef], values: &[f64]) -> CallResult<()> {
        let is_discrete = |reference: &RealRef| self.calls.shared.version.discrete.contains(&reference.0);
        let pairs = references.iter().copied().zip(values.iter().copied());
        type Separated = (Vec<(RealRef, f64)>, Vec<(RealRef, f64)>);
        let (discrete, continuous): Separated = pairs.partition(|(reference, _)| is_discrete(reference));
        let (discrete, set): (Vec<_>, Vec<_>) = discrete.into_iter().unzip();
        let mut present = vec![0.0; set.len()];
        self.get_real(&discrete, &mut present)?;
        let changes = present.iter().zip(&set).any(|(present, set)| present.to_bits() != set.to_bits());
        self.announce(changes, |instance| instance.set_real(&discrete, &set))?;
        if continuous.is_empty() {
            return Ok(());
        }
        let (references, values): (Vec<_>, Vec<_>) = continuous.into_iter().unzip();
        self.set_real(&references, &values)
    }
}
