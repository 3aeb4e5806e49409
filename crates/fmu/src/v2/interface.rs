//! [`FmuInstance`] as an [`Instance`]: check, call, process the status.

use std::sync::Arc;

use fmi2::Function;
use fmi2::ffi::RawStatus;
use lotka_instance::{
    BooleanRef, CallResult, Capabilities, Cause, Experiment, Instance, IntegerRef, Phase, RealRef, Slot, StepOutcome, StringRef,
};

use super::FmuInstance;
use crate::binding::Binding;
use crate::instance::{Access, Imported, Lane, NamesVariables, Progress, Refused, Reply, Stateful, warn_of_changes};
use crate::process_state::ProcessState;

impl Instance for FmuInstance {
    fn name(&self) -> &str {
        &self.identity.name
    }

    fn phase(&self) -> Phase {
        self.current_phase()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.calls.shared.capabilities
    }

    fn set_debug_logging(&mut self, on: bool, categories: &[&str]) -> CallResult<()> {
        self.check(Function::SetDebugLogging)?;
        let categories = self.c_strings(Function::SetDebugLogging, categories)?;
        let reply = self.calls.set_debug_logging(on, &categories);
        self.settle(Function::SetDebugLogging, reply)
    }

    fn setup_experiment(&mut self, experiment: &Experiment) -> CallResult<()> {
        self.check(Function::SetupExperiment)?;
        let status = self.calls.setup_experiment(experiment);
        self.settle(Function::SetupExperiment, Ok(status))?;
        self.progress.is_set_up = true;
        self.progress.time = experiment.start;
        Ok(())
    }

    fn enter_initialization_mode(&mut self) -> CallResult<()> {
        self.check(Function::EnterInitializationMode)?;
        if !self.progress.is_set_up {
            let cause = Cause::BadArgument("setup_experiment must be called first".into());
            return Err(self.error(Function::EnterInitializationMode, cause));
        }
        let process_state = ProcessState::note();
        let status = self.calls.enter_initialization_mode();
        warn_of_changes(self.identity.journal(), process_state);
        self.settle(Function::EnterInitializationMode, Ok(status))?;
        self.progress.phase = Phase::Initialization;
        Ok(())
    }

    fn exit_initialization_mode(&mut self) -> CallResult<()> {
        self.check(Function::ExitInitializationMode)?;
        let process_state = ProcessState::note();
        let status = self.calls.exit_initialization_mode();
        warn_of_changes(self.identity.journal(), process_state);
        self.settle(Function::ExitInitializationMode, Ok(status))?;
        self.progress.phase = Phase::StepComplete;
        Ok(())
    }

    fn terminate(&mut self) -> CallResult<()> {
        self.check(Function::Terminate)?;
        let status = self.calls.terminate();
        self.settle(Function::Terminate, Ok(status))?;
        self.progress.phase = Phase::Terminated;
        Ok(())
    }

    fn reset(&mut self) -> CallResult<()> {
        self.check(Function::Reset)?;
        let reply = self.calls.reset();
        self.settle(Function::Reset, reply)?;
        self.progress = Progress::START;
        Ok(())
    }

    fn get_real(&mut self, references: &[RealRef], values: &mut [f64]) -> CallResult<()> {
        self.check(Function::GetReal)?;
        let reply = self.calls.get_real(references, values);
        let result = self.settle(Function::GetReal, reply);
        self.naming(result, (Lane::Real, Access::Read), references.iter().map(|reference| reference.0))
    }

    fn get_integer(&mut self, references: &[IntegerRef], values: &mut [i128]) -> CallResult<()> {
        self.check(Function::GetInteger)?;
        self.integers.clear();
        self.integers.resize(values.len(), 0);
        let reply = self.calls.get_integer(references, &mut self.integers);
        let result = self.settle(Function::GetInteger, reply);
        self.naming(result, (Lane::Integer, Access::Read), references.iter().map(|reference| reference.0))?;
        values.iter_mut().zip(&self.integers).for_each(|(value, narrow)| *value = (*narrow).into());
        Ok(())
    }

    fn get_boolean(&mut self, references: &[BooleanRef], values: &mut [bool]) -> CallResult<()> {
        self.check(Function::GetBoolean)?;
        self.integers.clear();
        self.integers.resize(values.len(), 0);
        let reply = self.calls.get_boolean(references, &mut self.integers);
        let result = self.settle(Function::GetBoolean, reply);
        self.naming(result, (Lane::Boolean, Access::Read), references.iter().map(|reference| reference.0))?;
        values.iter_mut().zip(&self.integers).for_each(|(value, raw)| *value = *raw != 0);
        Ok(())
    }

    fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> CallResult<()> {
        self.check(Function::GetString)?;
        let reply = self.calls.get_string(references, values);
        let result = self.settle(Function::GetString, reply);
        self.naming(result, (Lane::String, Access::Read), references.iter().map(|reference| reference.0))
    }

    fn set_real(&mut self, references: &[RealRef], values: &[f64]) -> CallResult<()> {
        self.check(Function::SetReal)?;
        let reply = self.calls.set_real(references, values);
        let result = self.settle(Function::SetReal, reply);
        self.naming(result, (Lane::Real, Access::Set), references.iter().map(|reference| reference.0))
    }

    fn set_integer(&mut self, references: &[IntegerRef], values: &[i128]) -> CallResult<()> {
        self.check(Function::SetInteger)?;
        self.integers.clear();
        for &value in values {
            let narrow = i32::try_from(value)
                .map_err(|_| self.error(Function::SetInteger, Cause::BadArgument(format!("{value} does not fit into 32 bits"))));
            self.integers.push(narrow?);
        }
        let reply = self.calls.set_integer(references, &self.integers);
        let result = self.settle(Function::SetInteger, reply);
        self.naming(result, (Lane::Integer, Access::Set), references.iter().map(|reference| reference.0))
    }

    fn set_boolean(&mut self, references: &[BooleanRef], values: &[bool]) -> CallResult<()> {
        self.check(Function::SetBoolean)?;
        self.integers.clear();
        self.integers.extend(values.iter().map(|&value| i32::from(value)));
        let reply = self.calls.set_boolean(references, &self.integers);
        let result = self.settle(Function::SetBoolean, reply);
        self.naming(result, (Lane::Boolean, Access::Set), references.iter().map(|reference| reference.0))
    }

    fn set_string(&mut self, references: &[StringRef], values: &[&str]) -> CallResult<()> {
        self.check(Function::SetString)?;
        let values = self.c_strings(Function::SetString, values)?;
        let reply = self.calls.set_string(references, &values);
        let result = self.settle(Function::SetString, reply);
        self.naming(result, (Lane::String, Access::Set), references.iter().map(|reference| reference.0))
    }

    fn set_input_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &[f64]) -> CallResult<()> {
        const FUNCTION: Function = Function::SetRealInputDerivatives;
        self.check_capability(FUNCTION, self.capabilities().interpolate_inputs)?;
        let reply = self.calls.set_input_derivatives(references, orders, values);
        self.settle(FUNCTION, reply)
    }

    fn get_output_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &mut [f64]) -> CallResult<()> {
        const FUNCTION: Function = Function::GetRealOutputDerivatives;
        self.check_capability(FUNCTION, self.capabilities().max_output_derivative_order > 0)?;
        let reply = self.calls.get_output_derivatives(references, orders, values);
        self.settle(FUNCTION, reply)
    }

    fn directional_derivative(
        &mut self,
        unknowns: &[RealRef],
        knowns: &[RealRef],
        seed: &[f64],
        result: &mut [f64],
    ) -> CallResult<()> {
        const FUNCTION: Function = Function::GetDirectionalDerivative;
        self.check_capability(FUNCTION, self.capabilities().directional_derivative)?;
        let reply = self.calls.directional_derivative(unknowns, knowns, seed, result);
        self.settle(FUNCTION, reply)
    }

    fn do_step(&mut self, t: f64, h: f64, commit: bool) -> CallResult<StepOutcome> {
        self.allow(Function::DoStep)?;
        self.advance(t, h, commit)
    }

    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.binding = self.calls.shared.version.bindings.bind(inputs, outputs, || ());
        Ok(())
    }

    /// The phase in which a step is allowed also allows setting and reading: one check serves all three calls. Whatever is
    /// unusual is left to another function, which makes the rest of the step.
    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.allow(Function::DoStep)?;
        let end = self.end_of_step(Function::DoStep, t, h)?;
        let Self { calls, progress, binding, .. } = self;
        let Binding { inputs: to_set, outputs: to_read, last_call, .. } = &**binding;
        let address = calls.address();
        if outputs.len() != to_read.len() {
            return Err(self.refusal(Function::GetReal, Refused::Lengths));
        }
        if !inputs.is_empty() {
            last_call.begin(Function::SetReal, address, progress.time);
            let reply = calls.set_real(to_set, inputs);
            if reply != Ok(0) {
                return self.step_after_inputs(reply, t, h, commit, outputs);
            }
        }
        last_call.begin(Function::DoStep, address, t);
        let status = calls.do_step(t, h, commit);
        if status != 0 {
            return self.finish_unusual_step(status, t, h, outputs);
        }
        progress.time = end;
        if outputs.is_empty() {
            last_call.returned_from(Function::DoStep, address);
            return Ok(StepOutcome::Complete);
        }
        last_call.begin(Function::GetReal, address, end);
        let reply = calls.get_real(to_read, outputs);
        if reply != Ok(0) {
            return self.settle_outputs(reply).map(|()| StepOutcome::Complete);
        }
        last_call.returned_from(Function::GetReal, address);
        Ok(StepOutcome::Complete)
    }

    fn new_slot(&mut self) -> CallResult<Slot> {
        self.make_slot()
    }

    fn save(&mut self, slot: Slot) -> CallResult<()> {
        self.save_to(slot)
    }

    fn restore(&mut self, slot: Slot) -> CallResult<()> {
        self.restore_from(slot)
    }

    fn free_slot(&mut self, slot: Slot) -> CallResult<()> {
        self.give_up(slot)
    }

    fn serialize(&mut self, slot: Slot) -> CallResult<Vec<u8>> {
        self.write_bytes(slot)
    }

    fn deserialize(&mut self, slot: Slot, bytes: &[u8]) -> CallResult<()> {
        self.fill_from_bytes(slot, bytes)
    }
}

impl FmuInstance {
    /// Processes the result of setting the bound inputs, if it is not just OK, and makes the rest of the step.
    #[cold]
    fn step_after_inputs(&mut self, reply: Reply, t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        let result = self.settle(Function::SetReal, reply);
        let binding = Arc::clone(&self.binding);
        self.naming(result, (Lane::Real, Access::Set), binding.inputs.iter().map(|reference| reference.0))?;
        self.step(&[], t, h, commit, outputs)
    }

    /// Processes the result of reading the bound outputs, if it is not just OK.
    #[cold]
    fn settle_outputs(&mut self, reply: Reply) -> CallResult<()> {
        let result = self.settle(Function::GetReal, reply);
        let binding = Arc::clone(&self.binding);
        self.naming(result, (Lane::Real, Access::Read), binding.outputs.iter().map(|reference| reference.0))
    }

    /// Processes the status of a step, if it is not OK, and reads the bound outputs unless the step was discarded.
    #[cold]
    fn finish_unusual_step(&mut self, status: RawStatus, t: f64, h: f64, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        let outcome = self.judge_step(status, t, h)?;
        if !matches!(outcome, StepOutcome::Discarded(_)) && !outputs.is_empty() {
            self.begin(Function::GetReal);
            let reply = self.calls.get_real(&self.binding.outputs, outputs);
            self.settle_outputs(reply)?;
        }
        Ok(outcome)
    }
}
