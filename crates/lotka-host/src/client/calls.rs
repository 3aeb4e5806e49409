//! The calls of FMI, each made as a request.

use fmi2::Function;
use lotka_instance::{
    BinaryRef, BooleanRef, CallResult, Capabilities, Cause, DiscreteUpdate, Experiment, Instance, IntegerRef, Phase, RealRef,
    Slot, SplitStep, StepOutcome, StringRef,
};

use super::HostedInstance;
use super::instance::BegunStep;
use crate::protocol::{Channel, PostedStep, Reply, Request};

impl Instance for HostedInstance {
    fn name(&self) -> &str {
        &self.name
    }

    fn phase(&self) -> Phase {
        self.phase
    }

    fn capabilities(&self) -> &Capabilities {
        self.fmu.capabilities()
    }

    fn set_debug_logging(&mut self, on: bool, categories: &[&str]) -> CallResult<()> {
        let categories = categories.iter().map(|&category| category.to_owned()).collect();
        self.done(Function::SetDebugLogging, &Request::SetDebugLogging(on, categories))
    }

    fn setup_experiment(&mut self, experiment: &Experiment) -> CallResult<()> {
        self.done(Function::SetupExperiment, &Request::SetupExperiment(*experiment))?;
        self.time = Some(experiment.start);
        Ok(())
    }

    fn enter_initialization_mode(&mut self) -> CallResult<()> {
        self.done(Function::EnterInitializationMode, &Request::EnterInitializationMode)
    }

    fn exit_initialization_mode(&mut self) -> CallResult<()> {
        self.done(Function::ExitInitializationMode, &Request::ExitInitializationMode)
    }

    fn terminate(&mut self) -> CallResult<()> {
        let result = self.done(Function::Terminate, &Request::Terminate);
        // The run reports no lines that come later.
        self.loader.process.read_output();
        result
    }

    fn reset(&mut self) -> CallResult<()> {
        self.done(Function::Reset, &Request::Reset)?;
        self.time = None;
        Ok(())
    }

    fn get_real(&mut self, references: &[RealRef], values: &mut [f64]) -> CallResult<()> {
        let result = self.reals(Function::GetReal, &Request::GetReal(references.to_vec(), values.len()), values);
        self.typed(Function::GetReal, references.first().map(|first| first.0), result)
    }

    fn get_integer(&mut self, references: &[IntegerRef], values: &mut [i128]) -> CallResult<()> {
        let reply = self.ask(Function::GetInteger, &Request::GetInteger(references.to_vec(), values.len()));
        let reply = self.typed(Function::GetInteger, references.first().map(|first| first.0), reply)?;
        self.values(Function::GetInteger, values, if let Reply::Integers(brought) = reply { Some(brought) } else { None })
    }

    fn get_boolean(&mut self, references: &[BooleanRef], values: &mut [bool]) -> CallResult<()> {
        let reply = self.ask(Function::GetBoolean, &Request::GetBoolean(references.to_vec(), values.len()))?;
        self.values(Function::GetBoolean, values, if let Reply::Booleans(brought) = reply { Some(brought) } else { None })
    }

    fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> CallResult<()> {
        let reply = self.ask(Function::GetString, &Request::GetString(references.to_vec(), values.len()))?;
        self.values(Function::GetString, values, if let Reply::Strings(brought) = reply { Some(brought) } else { None })
    }

    fn set_real(&mut self, references: &[RealRef], values: &[f64]) -> CallResult<()> {
        let result = self.done(Function::SetReal, &Request::SetReal(references.to_vec(), values.to_vec()));
        self.typed(Function::SetReal, references.first().map(|first| first.0), result)
    }

    fn set_integer(&mut self, references: &[IntegerRef], values: &[i128]) -> CallResult<()> {
        let result = self.done(Function::SetInteger, &Request::SetInteger(references.to_vec(), values.to_vec()));
        self.typed(Function::SetInteger, references.first().map(|first| first.0), result)
    }

    fn set_boolean(&mut self, references: &[BooleanRef], values: &[bool]) -> CallResult<()> {
        self.done(Function::SetBoolean, &Request::SetBoolean(references.to_vec(), values.to_vec()))
    }

    fn set_string(&mut self, references: &[StringRef], values: &[&str]) -> CallResult<()> {
        let values = values.iter().map(|&value| value.to_owned()).collect();
        self.done(Function::SetString, &Request::SetString(references.to_vec(), values))
    }

    fn get_binary(&mut self, references: &[BinaryRef], values: &mut [Vec<u8>]) -> CallResult<()> {
        let reply = self.ask(Function::GetString, &Request::GetBinary(references.to_vec(), values.len()));
        let reply = self.typed(Function::GetString, references.first().map(|first| first.0), reply)?;
        self.values(Function::GetString, values, if let Reply::Binaries(brought) = reply { Some(brought) } else { None })
    }

    fn set_binary(&mut self, references: &[BinaryRef], values: &[&[u8]]) -> CallResult<()> {
        let values = values.iter().map(|&value| value.to_owned()).collect();
        let result = self.done(Function::SetString, &Request::SetBinary(references.to_vec(), values));
        self.typed(Function::SetString, references.first().map(|first| first.0), result)
    }

    fn set_input_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &[f64]) -> CallResult<()> {
        let request = Request::SetInputDerivatives(references.to_vec(), orders.to_vec(), values.to_vec());
        self.done(Function::SetRealInputDerivatives, &request)
    }

    fn get_output_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &mut [f64]) -> CallResult<()> {
        let request = Request::GetOutputDerivatives(references.to_vec(), orders.to_vec(), values.len());
        self.reals(Function::GetRealOutputDerivatives, &request, values)
    }

    fn directional_derivative(
        &mut self,
        unknowns: &[RealRef],
        knowns: &[RealRef],
        seed: &[f64],
        result: &mut [f64],
    ) -> CallResult<()> {
        let (unknowns, knowns, seed) = (unknowns.to_vec(), knowns.to_vec(), seed.to_vec());
        let request = Request::DirectionalDerivative { unknowns, knowns, seed, result: result.len() };
        self.reals(Function::GetDirectionalDerivative, &request, result)
    }

    fn do_step(&mut self, t: f64, h: f64, commit: bool) -> CallResult<StepOutcome> {
        let reply = self.ask(Function::DoStep, &Request::DoStep { t, h, commit })?;
        self.judge_step(Function::DoStep, reply, (t, h), &mut [])
    }

    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.done(Function::DoStep, &Request::Bind(inputs.to_vec(), outputs.to_vec()))
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.begin_step(inputs, t, h, commit, outputs)?;
        self.finish_step(outputs)
    }

    fn split_step(&mut self) -> Option<&mut dyn SplitStep> {
        Some(self)
    }

    fn enter_event_mode(&mut self) -> CallResult<()> {
        self.done(fmi3::Function::EnterEventMode, &Request::EnterEventMode)
    }

    fn update_discrete_states(&mut self) -> CallResult<DiscreteUpdate> {
        const FUNCTION: fmi3::Function = fmi3::Function::UpdateDiscreteStates;
        match self.ask(FUNCTION, &Request::UpdateDiscreteStates)? {
            Reply::Updated(update)
                if update.next_event_time.is_none_or(|next| next >= self.time.unwrap_or(f64::NEG_INFINITY)) =>
            {
                Ok(update)
            }
            _ => Err(self.garbled(FUNCTION)),
        }
    }

    fn enter_step_mode(&mut self) -> CallResult<()> {
        self.done(fmi3::Function::EnterStepMode, &Request::EnterStepMode)
    }

    fn new_slot(&mut self) -> CallResult<Slot> {
        match self.ask(Function::GetFMUstate, &Request::NewSlot)? {
            // The host may reuse a slot that was freed.
            Reply::Slot(slot) if slot.0 as usize <= self.saved_times.len() => {
                let slots = self.saved_times.len().max(slot.0 as usize + 1);
                self.saved_times.resize(slots, None);
                Ok(slot)
            }
            _ => Err(self.garbled(Function::GetFMUstate)),
        }
    }

    fn save(&mut self, slot: Slot) -> CallResult<()> {
        self.done(Function::GetFMUstate, &Request::Save(slot))?;
        if let Some(saved) = self.saved_times.get_mut(slot.0 as usize) {
            *saved = self.time;
        }
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> CallResult<()> {
        self.done(Function::SetFMUstate, &Request::Restore(slot))?;
        self.time = self.saved_times.get(slot.0 as usize).copied().flatten();
        Ok(())
    }

    fn free_slot(&mut self, slot: Slot) -> CallResult<()> {
        self.done(Function::FreeFMUstate, &Request::FreeSlot(slot))
    }

    fn serialize(&mut self, slot: Slot) -> CallResult<Vec<u8>> {
        match self.ask(Function::SerializeFMUstate, &Request::Serialize(slot))? {
            Reply::Bytes(bytes) => Ok(bytes),
            _ => Err(self.garbled(Function::SerializeFMUstate)),
        }
    }

    fn deserialize(&mut self, slot: Slot, bytes: &[u8]) -> CallResult<()> {
        self.done(Function::DeSerializeFMUstate, &Request::Deserialize(slot, bytes.to_vec()))
    }

    fn free(mut self: Box<Self>) -> CallResult<()> {
        self.finish()
    }
}

/// The host steps while the master does something else.
impl SplitStep for HostedInstance {
    fn begin_step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &[f64]) -> CallResult<()> {
        self.check(Function::DoStep)?;
        let (limit, process) = (self.limit(), &mut self.loader.process);
        let n_outputs = outputs.len();
        let posted = if Channel::fits(inputs.len().max(n_outputs)) {
            process.post_step(inputs, PostedStep { t, h, commit }, n_outputs, limit)
        } else {
            let request = Request::Step { inputs: inputs.to_vec(), t, h, commit, n_outputs };
            process.post(&request, limit)
        };
        let time = posted.map_err(|end| self.ended(Function::DoStep, end))?;
        self.begun = Some(BegunStep { t, h, time });
        Ok(())
    }

    fn finish_step(&mut self, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        const FUNCTION: Function = Function::DoStep;
        let Some(BegunStep { t, h, time }) = self.begun.take() else {
            return Err(self.error(FUNCTION, Cause::BadArgument("no step has begun".to_owned())));
        };
        match self.loader.process.finish_step(time, outputs) {
            Ok(None) => {
                self.time = Some(t + h);
                Ok(StepOutcome::Complete)
            }
            Ok(Some(reply)) => {
                let reply = self.settle(FUNCTION, Ok(reply))?;
                self.judge_step(FUNCTION, reply, (t, h), outputs)
            }
            Err(end) => Err(self.ended(FUNCTION, end)),
        }
    }
}
