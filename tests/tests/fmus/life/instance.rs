//! Calls of instances, in this process or in their own.

use lotka_host::HostedInstance;
use lotka_instance::{CallResult, Experiment, Instance, ModelDescription, RealRef, Slot, StepOutcome};

use super::{
    Answer, Subject,
    call::{Call, SLOTS},
};

/// An instance with the variables and the saved states that a sequence uses.
pub struct Called<I> {
    instance: I,
    set: RealRef,
    get: RealRef,
    slots: [Option<Slot>; SLOTS],
}

/// A slot that no instance has.
const NOWHERE: Slot = Slot(4711);

/// An instance that may end before it is dropped.
pub trait Ends {
    fn instance(&mut self) -> &mut dyn Instance;
    fn end(&mut self) -> bool;
}

impl Ends for Box<dyn Instance> {
    fn instance(&mut self) -> &mut dyn Instance {
        &mut **self
    }

    fn end(&mut self) -> bool {
        false
    }
}

impl Ends for HostedInstance {
    fn instance(&mut self) -> &mut dyn Instance {
        self
    }

    fn end(&mut self) -> bool {
        self.free().unwrap();
        true
    }
}

impl<I: Ends> Called<I> {
    pub fn new(instance: I, description: &ModelDescription) -> Self {
        let reference = |names: [&str; 2]| {
            let mut variables = description.variables.iter();
            RealRef(variables.find(|variable| names.contains(&&*variable.name)).unwrap().value_reference)
        };
        Self { instance, set: reference(["y", "e"]), get: reference(["x", "h"]), slots: [None; SLOTS] }
    }

    fn slot(&mut self, index: usize) -> CallResult<Slot> {
        let slot = self.slots[index].map_or_else(|| self.instance.instance().new_slot(), Ok)?;
        self.slots[index] = Some(slot);
        Ok(slot)
    }

    fn made(&mut self, call: Call, time: f64) -> CallResult<Answer> {
        let saved = |slots: &[Option<Slot>; SLOTS], index: usize| slots[index].unwrap_or(NOWHERE);
        let instance = self.instance.instance();
        match call {
            Call::Setup => instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None })?,
            Call::EnterInitialization => instance.enter_initialization_mode()?,
            Call::ExitInitialization => instance.exit_initialization_mode()?,
            Call::EnterEventMode => instance.enter_event_mode()?,
            Call::Update => _ = instance.update_discrete_states()?,
            Call::EnterStepMode => instance.enter_step_mode()?,
            Call::Set(value) => instance.set_real(&[self.set], &[value])?,
            Call::Get => {
                let mut value = [f64::NAN];
                instance.get_real(&[self.get], &mut value)?;
                return Ok(Answer::Value(value[0]));
            }
            Call::Step(h) => match instance.do_step(time, h, false)? {
                StepOutcome::Complete => {}
                StepOutcome::Discarded(_) => return Ok(Answer::Discarded),
                other => return Ok(Answer::Refused(format!("{other:?}"))),
            },
            Call::Save(index) => {
                let slot = self.slot(index)?;
                self.instance.instance().save(slot)?;
            }
            Call::Restore(index) => instance.restore(saved(&self.slots, index))?,
            Call::FreeSaved(index) => {
                instance.free_slot(saved(&self.slots, index))?;
                self.slots[index] = None;
            }
            Call::Copy(from, to) => {
                let bytes = instance.serialize(saved(&self.slots, from))?;
                let slot = self.slot(to)?;
                self.instance.instance().deserialize(slot, &bytes)?;
            }
            Call::Terminate => instance.terminate()?,
            Call::Reset => instance.reset()?,
        }
        Ok(Answer::Done)
    }
}

impl<I: Ends> Subject for Called<I> {
    fn call(&mut self, call: Call, time: f64) -> Answer {
        self.made(call, time).unwrap_or_else(|error| Answer::Refused(error.to_string()))
    }

    fn free(&mut self) -> bool {
        self.instance.end()
    }
}
