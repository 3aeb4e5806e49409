//! [`FmuInstance`] as an [`Instance`]: check, call, process the status.

use fmi2::Function;
use fmi2::ffi::RawStatus;
use lotka_instance::{
    BooleanRef, CallResult, Capabilities, Cause, Experiment, Instance, IntegerRef, Phase, RealRef, Slot, StepOutcome, StringRef,
};

use super::FmuInstance;
use crate::binding::Binding;
use crate::instance::{
    Access, Imported, Lane, NamesVariables, Progress, Refused, Reply, Stateful, common_methods, warn_of_changes,
};
use crate::process_state::ProcessState;

/// Reads or sets values: checks the phase, makes the call, and names the variables of an error.
macro_rules! transfer {
    ($self:ident, $references:ident, $function:ident, ($lane:ident, $access:ident), $call:expr) => {{
        $self.check(Function::$function)?;
        let reply = $call;
        let result = $self.settle(Function::$function, reply);
        $self.naming(result, (Lane::$lane, Access::$access), $references.iter().map(|reference| reference.0))
    }};
}

impl Instance for FmuInstance {
    common_methods!();

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

    fn reset(&mut self) -> CallResult<()> {
        self.check(Function::Reset)?;
        let reply = self.calls.reset();
        self.settle(Function::Reset, reply)?;
        self.progress = Progress::START;
        Ok(())
    }

    fn get_real(&mut self, references: &[RealRef], values: &mut [f64]) -> CallResult<()> {
        transfer!(self, references, GetReal, (Real, Read), self.calls.get_real(references, values))
    }

    fn get_integer(&mut self, references: &[IntegerRef], values: &mut [i128]) -> CallResult<()> {
        self.integers.resize(values.len(), 0);
        transfer!(self, references, GetInteger, (Integer, Read), self.calls.get_integer(references, &mut self.integers))?;
        values.iter_mut().zip(&self.integers).for_each(|(value, narrow)| *value = (*narrow).into());
        Ok(())
    }

    fn get_boolean(&mut self, references: &[BooleanRef], values: &mut [bool]) -> CallResult<()> {
        self.integers.resize(values.len(), 0);
        transfer!(self, references, GetBoolean, (Boolean, Read), self.calls.get_boolean(references, &mut self.integers))?;
        values.iter_mut().zip(&self.integers).for_each(|(value, raw)| *value = *raw != 0);
        Ok(())
    }

    fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> CallResult<()> {
        transfer!(self, references, GetString, (String, Read), self.calls.get_string(references, values))
    }

    fn set_real(&mut self, references: &[RealRef], values: &[f64]) -> CallResult<()> {
        transfer!(self, references, SetReal, (Real, Set), self.calls.set_real(references, values))
    }

    fn set_integer(&mut self, references: &[IntegerRef], values: &[i128]) -> CallResult<()> {
        self.allow(Function::SetInteger)?;
        self.integers.clear();
        for &value in values {
            let narrow = i32::try_from(value)
                .map_err(|_| self.error(Function::SetInteger, Cause::BadArgument(format!("{value} does not fit into 32 bits"))));
            self.integers.push(narrow?);
        }
        transfer!(self, references, SetInteger, (Integer, Set), self.calls.set_integer(references, &self.integers))
    }

    fn set_boolean(&mut self, references: &[BooleanRef], values: &[bool]) -> CallResult<()> {
        self.integers.clear();
        self.integers.extend(values.iter().map(|&value| i32::from(value)));
        transfer!(self, references, SetBoolean, (Boolean, Set), self.calls.set_boolean(references, &self.integers))
    }

    fn set_string(&mut self, references: &[StringRef], values: &[&str]) -> CallResult<()> {
        self.allow(Function::SetString)?;
        let values = self.c_strings(Function::SetString, values)?;
        transfer!(self, references, SetString, (String, Set), self.calls.set_string(references, &values))
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

    fn deserialize(&mut self, slot: Slot, bytes: &[u8]) -> CallResult<()> {
        self.fill_from_bytes(slot, bytes)
    }
}

impl FmuInstance {
    fn phase_after_initialization(&self) -> Phase {
        Phase::StepComplete
    }

    /// Processes the result of setting the bound inputs, if it is not just OK, and makes the rest of the step.
    #[cold]
    fn step_after_inputs(&mut self, reply: Reply, t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.settle_inputs(reply)?;
        self.step(&[], t, h, commit, outputs)
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
