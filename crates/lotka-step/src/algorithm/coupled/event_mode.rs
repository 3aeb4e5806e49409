//! Event mode: instances that handle their events together, at one time.
//!
//! An event begins with an instance that stopped for one ([`StepOutcome::Event`](lotka_instance::StepOutcome)), or with inputs
//! that jump at a known time. In rounds, instances whose inputs changed enter event mode, get their inputs, and give their
//! outputs, in the order of evaluation, until no value changes any more. Then each of them concludes the instant by updating its
//! discrete states, and all leave event mode when none needs another update.

use lotka_instance::{CallError, CallResult, Cause, FunctionName, Instance};
use lotka_plan::graph::InstancePlan;

use super::Coupled;
use crate::{
    Error,
    algorithm::{
        Signals,
        attempt::call_failed,
        before_jump::BeforeJump,
        event_modes::{EventModes, Member},
    },
};

/// Largest number of passes along the connections in one instant, and of instants at one time.
const MOST_ROUNDS: u32 = 100;

impl Coupled {
    /// Whether an instance handles its events in event mode.
    #[inline]
    #[must_use]
    pub fn uses_event_mode(&self, index: usize) -> bool {
        self.plan.instances[index].uses_event_mode
    }

    /// Forgets the events of an earlier run.
    pub(crate) fn forget_events(&mut self) {
        self.instances.iter_mut().for_each(|instance| instance.awaits_event = false);
        if let Some(modes) = &mut self.event_modes {
            modes.ends = None;
            modes.members.retain(|member| member.has_mode);
            modes.members.iter_mut().for_each(|member| *member = Member::with_mode(member.index));
        }
    }

    /// Whether an instance has stopped for an event at the end of the last step.
    #[inline]
    #[must_use]
    pub fn awaits_event(&self) -> bool {
        self.event_modes.is_some() && self.first_awaiting().is_some()
    }

    /// The first instance that has stopped for an event.
    #[must_use]
    pub fn first_awaiting(&self) -> Option<usize> {
        let members = self.event_modes.iter().flat_map(|modes| &modes.members);
        members.map(|member| member.index).find(|index| self.instances[*index].awaits_event)
    }

    /// Whether an instance has stopped for an event at the end of the last step.
    #[must_use]
    pub fn has_stopped_for_event(&self, index: usize) -> bool {
        self.instances[index].awaits_event
    }

    /// The earliest time at which an instance has announced an event \[s\]; infinite if none has.
    #[must_use]
    pub fn next_event(&self) -> f64 {
        let members = self.event_modes.iter().flat_map(|modes| &modes.members);
        members.fold(f64::INFINITY, |earliest, member| earliest.min(member.next_event))
    }

    /// Instances without event mode whose outputs are read again when their inputs jump; `ranks` is the order of evaluation.
    pub fn also_read_again(&mut self, rereads: &[usize], ranks: &[usize]) {
        let Some(modes) = &mut self.event_modes else { return };
        modes.members.retain(|member| member.has_mode);
        modes.members.extend(rereads.iter().map(|&index| Member { has_mode: false, ..Member::with_mode(index) }));
        modes.members.sort_by_key(|member| ranks[member.index]);
    }

    /// Notes the present inputs, before some of them jump.
    pub fn note_inputs(&mut self) {
        if let Some(modes) = &mut self.event_modes {
            modes.note(&self.plan, &self.newest);
        }
        self.before_jump.get_or_insert_with(|| BeforeJump::new(&self.plan, &self.newest)).note_inputs(&self.plan, &self.newest);
    }

    /// Notes the inputs for these values, which are those before an event.
    pub fn note_inputs_of(&mut self, before: &Signals) {
        if let Some(modes) = &mut self.event_modes {
            modes.note(&self.plan, before);
        }
    }

    /// Handles the events at the communication point `time`: those for which instances have stopped, and inputs that differ from
    /// the noted ones.
    ///
    /// # Errors
    /// A call fails, or the events do not end.
    pub fn handle_events(&mut self, time: f64) -> Result<(), Box<Error>> {
        let Some(mut modes) = self.event_modes.take() else { return Ok(()) };
        let result = modes.handle(self, time);
        self.event_modes = Some(modes);
        result
    }

    /// Handles the events at the end of initialization mode, which leads to event mode.
    ///
    /// # Errors
    /// As for [`Coupled::handle_events`].
    pub fn handle_first_events(&mut self, time: f64) -> Result<(), Box<Error>> {
        self.note_inputs();
        for member in self.event_modes.iter_mut().flat_map(|modes| &mut modes.members).filter(|member| member.has_mode) {
            (member.is_inside, member.is_open, member.is_fresh) = (true, true, true);
        }
        self.handle_events(time)
    }

    /// Has the events of an instance be handled next, whose variables change at this communication point.
    pub fn await_event(&mut self, index: usize) {
        self.instances[index].awaits_event = true;
    }

    /// Enters the event mode of an instance, if it has that, because its variables are set; its events are handled next.
    pub(crate) fn open_event(&mut self, index: usize) -> CallResult<()> {
        let members = self.event_modes.iter_mut().flat_map(|modes| &mut modes.members);
        let Some(member) = members.into_iter().find(|member| member.index == index && member.has_mode) else { return Ok(()) };
        if !member.is_inside {
            self.instances[index].inner.enter_event_mode()?;
        }
        (member.is_inside, member.is_open) = (true, true);
        Ok(())
    }

    /// Sets the Real inputs of an instance, of which there are `count` in the buffer, and reads the Real outputs that follow them
    /// at once.
    pub(crate) fn exchange_at_once(&mut self, index: usize, count: usize) -> CallResult<()> {
        let (instance_plan, inputs) = (&self.plan.instances[index], &self.buffers.gathered[..count]);
        let (instance, outputs) = (&mut self.instances[index].inner, &mut self.newest.reals[instance_plan.outputs.clone()]);
        let next_event = exchange_at_once(instance.as_mut(), instance_plan, inputs, outputs)?;
        for member in self.event_modes.iter_mut().flat_map(|modes| &mut modes.members).filter(|member| member.index == index) {
            member.next_event = next_event;
        }
        Ok(())
    }

    /// The instance that requested the end of the simulation when its events were handled.
    #[must_use]
    pub fn requested_end(&self) -> Option<usize> {
        self.event_modes.as_ref().and_then(|modes| modes.ends)
    }
}

/// Sets the Real inputs of an instance and reads its Real outputs, in event mode if it uses that. Returns the time of its next
/// event \[s\]; infinite if it is not known.
///
/// # Errors
/// The instance refuses.
pub fn exchange_at_once(
    instance: &mut dyn Instance,
    instance_plan: &InstancePlan,
    inputs: &[f64],
    outputs: &mut [f64],
) -> CallResult<f64> {
    if !instance_plan.uses_event_mode {
        instance.set_real(&instance_plan.input_references, inputs)?;
        return instance.get_real(&instance_plan.output_references, outputs).map(|()| f64::INFINITY);
    }
    instance.enter_event_mode()?;
    instance.set_real(&instance_plan.input_references, inputs)?;
    let next_event = conclude(instance)?;
    instance.get_real(&instance_plan.output_references, outputs).map(|()| next_event)
}

/// Has an instance in event mode update its discrete states until it needs no other update, and leave event mode. Returns the
/// time of its next event \[s\]; infinite if it is not known.
///
/// # Errors
/// The instance refuses.
pub fn conclude(instance: &mut dyn Instance) -> CallResult<f64> {
    for _ in 0..MOST_ROUNDS {
        let update = instance.update_discrete_states()?;
        if !update.needs_update {
            instance.enter_step_mode()?;
            return Ok(update.next_event_time.unwrap_or(f64::INFINITY));
        }
    }
    Err(Box::new(CallError {
        instance: instance.name().to_owned(),
        function: FunctionName::new("", "update_discrete_states"),
        variables: Vec::new(),
        time: None,
        cause: Cause::BadReply(format!("another update of discrete states is needed after {MOST_ROUNDS} of them at one time")),
        log: Vec::new(),
    }))
}

impl EventModes {
    fn handle(&mut self, coupled: &mut Coupled, time: f64) -> Result<(), Box<Error>> {
        self.ends = None;
        for member in &mut self.members {
            member.is_open |= std::mem::take(&mut coupled.instances[member.index].awaits_event);
        }
        for _ in 0..MOST_ROUNDS {
            if !self.pass_on(coupled)? {
                break;
            }
            if !self.members.iter().any(|member| member.is_open) {
                return self.leave(coupled);
            }
            for member in self.members.iter_mut().filter(|member| member.is_open) {
                self.ends = member.update(coupled)?.or(self.ends);
            }
        }
        let inside = self.members.iter().filter(|member| member.is_inside);
        let names: Vec<_> = inside.map(|member| format!("`{}`", coupled.name(member.index))).collect();
        let what = format!("the values of {} change each other in event mode", names.join(", "));
        Err(Box::new(Error::Chatter { what, time, count: MOST_ROUNDS }))
    }

    /// Passes values along the connections until none changes; returns whether that ends.
    fn pass_on(&mut self, coupled: &mut Coupled) -> Result<bool, Box<Error>> {
        for _ in 0..MOST_ROUNDS {
            let mut changes = false;
            for member in &mut self.members {
                let differs = member.inputs.take(&coupled.plan, member.index, &coupled.newest);
                if differs || member.is_open && !member.is_fresh {
                    member.receive(coupled)?;
                    member.is_fresh = true;
                }
                changes |= differs;
            }
            if !changes {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn leave(&mut self, coupled: &mut Coupled) -> Result<(), Box<Error>> {
        for member in self.members.iter_mut().filter(|member| member.is_inside) {
            coupled.instances[member.index].inner.enter_step_mode().map_err(call_failed)?;
            member.is_inside = false;
        }
        Ok(())
    }
}

impl Member {
    /// Sets the inputs and reads the outputs, in event mode if it has that.
    fn receive(&mut self, coupled: &mut Coupled) -> Result<(), Box<Error>> {
        self.is_open = self.has_mode;
        if !self.has_mode {
            return coupled.reread(self.index).map(drop);
        }
        if !self.is_inside {
            coupled.instances[self.index].inner.enter_event_mode().map_err(call_failed)?;
            self.is_inside = true;
        }
        coupled.exchange_now(self.index).map_err(call_failed)
    }

    /// Concludes the instant; returns the instance if it requests the end of the simulation.
    fn update(&mut self, coupled: &mut Coupled) -> Result<Option<usize>, Box<Error>> {
        let update = coupled.instances[self.index].inner.update_discrete_states().map_err(call_failed)?;
        (self.is_open, self.is_fresh) = (update.needs_update, false);
        self.next_event = update.next_event_time.unwrap_or(f64::INFINITY);
        coupled.read_outputs(self.index).map_err(call_failed)?;
        Ok(update.terminate.then_some(self.index))
    }
}
