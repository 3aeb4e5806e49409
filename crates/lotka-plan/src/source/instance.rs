//! A source as an instance, for set-up, rows and checkpoints. Steps never call it.

use std::sync::Arc;

use lotka_instance::{
    BooleanRef, CallResult, Capabilities, Experiment, Instance, IntegerRef, Phase, RealRef, Slot, StepOutcome, StringRef,
};

use super::model::{Channel, SourceModel};

/// An instance of a source. Its values are those just after its present time.
pub struct SourceInstance {
    name: String,
    model: Arc<SourceModel>,
    phase: Phase,
    time: f64,
    bound: Vec<usize>,
}

impl SourceInstance {
    /// An instance with a name.
    #[must_use]
    pub fn new(name: &str, model: Arc<SourceModel>) -> Self {
        Self { name: name.to_owned(), model, phase: Phase::Instantiated, time: 0.0, bound: Vec::new() }
    }

    fn channel(&self, reference: u32) -> &Channel {
        &self.model.channels[reference as usize]
    }

    fn real(&self, channel: usize) -> f64 {
        match &self.model.channels[channel] {
            Channel::Moving(waveform) => waveform.after(self.time, 0.0),
            Channel::Held(steps) => *steps.after(self.time),
            _ => 0.0,
        }
    }
}

impl Instance for SourceInstance {
    fn name(&self) -> &str {
        &self.name
    }

    fn phase(&self) -> Phase {
        self.phase
    }

    fn capabilities(&self) -> &Capabilities {
        &self.model.description.capabilities
    }

    fn set_debug_logging(&mut self, _: bool, _: &[&str]) -> CallResult<()> {
        Ok(())
    }

    fn setup_experiment(&mut self, experiment: &Experiment) -> CallResult<()> {
        self.time = experiment.start;
        Ok(())
    }

    fn enter_initialization_mode(&mut self) -> CallResult<()> {
        self.phase = Phase::Initialization;
        Ok(())
    }

    fn exit_initialization_mode(&mut self) -> CallResult<()> {
        self.phase = Phase::StepComplete;
        Ok(())
    }

    fn terminate(&mut self) -> CallResult<()> {
        self.phase = Phase::Terminated;
        Ok(())
    }

    fn reset(&mut self) -> CallResult<()> {
        self.phase = Phase::Instantiated;
        Ok(())
    }

    fn get_real(&mut self, references: &[RealRef], values: &mut [f64]) -> CallResult<()> {
        for (reference, value) in references.iter().zip(values) {
            *value = self.real(reference.0 as usize);
        }
        Ok(())
    }

    fn get_integer(&mut self, references: &[IntegerRef], values: &mut [i128]) -> CallResult<()> {
        for (reference, value) in references.iter().zip(values) {
            if let Channel::Integer(steps) = self.channel(reference.0) {
                *value = *steps.after(self.time);
            }
        }
        Ok(())
    }

    fn get_boolean(&mut self, references: &[BooleanRef], values: &mut [bool]) -> CallResult<()> {
        for (reference, value) in references.iter().zip(values) {
            if let Channel::Boolean(steps) = self.channel(reference.0) {
                *value = *steps.after(self.time);
            }
        }
        Ok(())
    }

    fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> CallResult<()> {
        for (reference, value) in references.iter().zip(values) {
            if let Channel::Text(steps) = self.channel(reference.0) {
                value.clone_from(steps.after(self.time));
            }
        }
        Ok(())
    }

    /// It has no inputs; the same applies to all that follows.
    fn set_real(&mut self, _: &[RealRef], _: &[f64]) -> CallResult<()> {
        Ok(())
    }

    fn set_integer(&mut self, _: &[IntegerRef], _: &[i128]) -> CallResult<()> {
        Ok(())
    }

    fn set_boolean(&mut self, _: &[BooleanRef], _: &[bool]) -> CallResult<()> {
        Ok(())
    }

    fn set_string(&mut self, _: &[StringRef], _: &[&str]) -> CallResult<()> {
        Ok(())
    }

    fn set_input_derivatives(&mut self, _: &[RealRef], _: &[i32], _: &[f64]) -> CallResult<()> {
        Ok(())
    }

    fn get_output_derivatives(&mut self, _: &[RealRef], _: &[i32], _: &mut [f64]) -> CallResult<()> {
        Ok(())
    }

    fn directional_derivative(&mut self, _: &[RealRef], _: &[RealRef], _: &[f64], result: &mut [f64]) -> CallResult<()> {
        result.fill(0.0);
        Ok(())
    }

    fn do_step(&mut self, t: f64, h: f64, _: bool) -> CallResult<StepOutcome> {
        self.time = t + h;
        Ok(StepOutcome::Complete)
    }

    fn bind(&mut self, _: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.bound = outputs.iter().map(|reference| reference.0 as usize).collect();
        Ok(())
    }

    fn step(&mut self, _: &[f64], t: f64, h: f64, _: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.time = t + h;
        for (position, value) in outputs.iter_mut().enumerate() {
            *value = self.real(self.bound[position]);
        }
        Ok(StepOutcome::Complete)
    }

    /// Its whole state follows from the time.
    fn new_slot(&mut self) -> CallResult<Slot> {
        Ok(Slot(0))
    }

    fn save(&mut self, _: Slot) -> CallResult<()> {
        Ok(())
    }

    fn restore(&mut self, _: Slot) -> CallResult<()> {
        Ok(())
    }

    fn free_slot(&mut self, _: Slot) -> CallResult<()> {
        Ok(())
    }

    fn serialize(&mut self, _: Slot) -> CallResult<Vec<u8>> {
        Ok(Vec::new())
    }

    fn deserialize(&mut self, _: Slot, _: &[u8]) -> CallResult<()> {
        Ok(())
    }
}
