//! An instance in a process of its own.

use std::fmt;
use std::time::Duration;

use fmi2::{
    BooleanRef, CallError, CallResult, Capabilities, Cause, Experiment, Function, Instance, IntegerRef, Phase, ProcessEnd,
    RealRef, Slot, StepOutcome, StringRef,
};
use fmu::InstantiateOptions;

use super::HostedFmu;
use super::fmu::Loader;
use crate::Error;
use crate::protocol::{Channel, Reply, Request};
use crate::surroundings::Watched;

/// One instance of a [`HostedFmu`], in a process of its own that ends with it.
///
/// What brings the process to an end (a crash, `exit`, a time limit) is an error of the call with [`Cause::ProcessEnded`]; after it the phase
/// is [`Phase::Fatal`].
pub struct HostedInstance {
    loader: Loader,
    fmu: HostedFmu,
    name: String,
    phase: Phase,
    /// Communication point \[s\], once there is one.
    time: Option<f64>,
    /// The same when a slot was saved into.
    saved_times: Vec<Option<f64>>,
    /// The call in which the process came to an end: every later one fails like it.
    last: Option<Box<CallError>>,
}

const PHASES: [Phase; 9] = [
    Phase::Instantiated,
    Phase::Initialization,
    Phase::StepComplete,
    Phase::StepInProgress,
    Phase::StepFailed,
    Phase::StepCanceled,
    Phase::Terminated,
    Phase::Error,
    Phase::Fatal,
];

impl HostedInstance {
    pub(super) fn new(fmu: &HostedFmu, mut loader: Loader, name: &str, options: &InstantiateOptions) -> Result<Self, Error> {
        let &InstantiateOptions { logging_on, visible, pending_timeout_s, .. } = options;
        loader.process.lines.listen(name, options.log.clone());
        let request = Request::Instantiate { name: name.to_owned(), logging_on, visible, pending_timeout_s };
        let reply = loader.process.ask(&request, fmu.shared.options.init_timeout);
        let mut instance = Self {
            loader,
            fmu: fmu.clone(),
            name: name.to_owned(),
            phase: Phase::Instantiated,
            time: None,
            saved_times: Vec::new(),
            last: None,
        };
        match reply {
            Ok(Reply::Done) => Ok(instance),
            // The reason tells what the FMU logged.
            Ok(Reply::Refused(reason)) => {
                Err(Error::Refused { reason, log: instance.loader.process.note().into_iter().collect() })
            }
            Ok(_) => Err(instance.not_made(ProcessEnd::Corrupted("the reply to fmi2Instantiate".to_owned()))),
            Err(end) => Err(instance.not_made(end)),
        }
    }

    fn not_made(&mut self, end: ProcessEnd) -> Error {
        self.phase = Phase::Fatal;
        let (path, log) = (self.fmu.path().to_owned(), self.loader.process.circumstances());
        Error::Ended { path, doing: "fmi2Instantiate", end, log }
    }

    /// The FMU of this instance.
    pub fn fmu(&self) -> &HostedFmu {
        &self.fmu
    }

    /// What the process was like before the FMU was loaded, and is like now.
    ///
    /// # Errors
    /// The process has ended.
    pub fn surroundings(&mut self) -> CallResult<Watched> {
        match self.ask(Function::GetTypesPlatform, &Request::Surroundings)? {
            Reply::Surroundings(watched) => Ok(*watched),
            _ => Err(self.garbled(Function::GetTypesPlatform)),
        }
    }

    /// Frees the FMU's instance and lets the process go on, so that what it left behind can be seen. Whatever else is called afterwards fails.
    ///
    /// # Errors
    /// `fmi2FreeInstance` did not return.
    pub fn free(&mut self) -> CallResult<()> {
        self.done(Function::FreeInstance, &Request::Free)
    }

    /// How long a call may take now.
    #[inline]
    fn limit(&self) -> Option<Duration> {
        let options = &self.fmu.shared.options;
        match self.phase {
            Phase::Instantiated | Phase::Initialization => options.init_timeout,
            _ => options.step_timeout,
        }
    }

    /// Whether there is somebody to ask.
    #[inline]
    fn check(&self, function: Function) -> CallResult<()> {
        match (self.phase, &self.last) {
            (Phase::Fatal, Some(last)) => Err(last.clone()),
            (Phase::Fatal, None) => Err(self.error(function, Cause::NotAllowed(Phase::Fatal))),
            _ => Ok(()),
        }
    }

    /// Has the host make a call, and takes note of the phase afterwards.
    fn ask(&mut self, function: Function, request: &Request) -> CallResult<Reply> {
        self.check(function)?;
        let reply = self.loader.process.ask(request, self.limit());
        self.settle(function, reply)
    }

    /// What a reply does to the instance.
    fn settle(&mut self, function: Function, reply: Result<Reply, ProcessEnd>) -> CallResult<Reply> {
        let reply = reply.map_err(|end| self.ended(function, end))?;
        let number = self.loader.process.phase();
        let Some(phase) = PHASES.into_iter().find(|phase| *phase as u64 == number) else {
            return Err(self.garbled(function));
        };
        self.phase = phase;
        match reply {
            Reply::Failed(error) => {
                let log = error.log.iter().cloned().chain(self.loader.process.note()).collect();
                // The name is what errors are told apart by; that of the host is not believed.
                Err(Box::new(CallError { instance: self.name.clone(), log, ..*error }))
            }
            reply => Ok(reply),
        }
    }

    fn done(&mut self, function: Function, request: &Request) -> CallResult<()> {
        match self.ask(function, request)? {
            Reply::Done => Ok(()),
            _ => Err(self.garbled(function)),
        }
    }

    /// Copies values that a reply brings; as many as are wanted.
    fn values<T>(&mut self, function: Function, values: &mut [T], brought: Option<Vec<T>>) -> CallResult<()> {
        let Some(brought) = brought.filter(|brought| brought.len() == values.len()) else { return Err(self.garbled(function)) };
        values.iter_mut().zip(brought).for_each(|(value, new)| *value = new);
        Ok(())
    }

    fn reals(&mut self, function: Function, request: &Request, values: &mut [f64]) -> CallResult<()> {
        let reply = self.ask(function, request)?;
        self.values(function, values, if let Reply::Reals(brought) = reply { Some(brought) } else { None })
    }

    #[cold]
    fn garbled(&mut self, function: Function) -> Box<CallError> {
        let end = self.loader.process.kill(ProcessEnd::Corrupted(format!("the reply to {function}")));
        self.ended(function, end)
    }

    #[cold]
    fn ended(&mut self, function: Function, end: ProcessEnd) -> Box<CallError> {
        self.phase = Phase::Fatal;
        let error = self.error(function, Cause::ProcessEnded(end));
        self.last = Some(error.clone());
        error
    }

    /// Has the host free the instance and end.
    fn finish(&mut self) -> CallResult<()> {
        if self.phase == Phase::Fatal {
            return Ok(());
        }
        let finished = self.loader.process.finish(self.fmu.shared.options.step_timeout);
        self.phase = Phase::Fatal;
        self.warn_of_denied_calls();
        finished.map_err(|end| self.ended(Function::FreeInstance, end))
    }

    #[cold]
    fn error(&self, function: Function, cause: Cause) -> Box<CallError> {
        let (instance, time, log) = (self.name.clone(), self.time, self.loader.process.circumstances());
        Box::new(CallError { instance, function, time, cause, log })
    }

    /// Tells which system calls were denied, though nothing failed.
    #[cold]
    fn warn_of_denied_calls(&mut self) {
        let process = &self.loader.process;
        if let Some(note) = process.note().filter(|_| !process.denied_calls().is_empty()) {
            process.lines.warn(note);
        }
    }

    /// Takes note of what became of a step from `t` by `h`.
    fn finish_step(
        &mut self,
        function: Function,
        reply: Reply,
        (t, h): (f64, f64),
        outputs: &mut [f64],
    ) -> CallResult<StepOutcome> {
        match reply {
            Reply::Outcome(StepOutcome::Complete, brought) if brought.len() == outputs.len() => {
                outputs.copy_from_slice(&brought);
                self.time = Some(t + h);
                Ok(StepOutcome::Complete)
            }
            Reply::Outcome(StepOutcome::Discarded(discard), _) => Ok(StepOutcome::Discarded(discard)),
            _ => Err(self.garbled(function)),
        }
    }
}

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
        self.done(Function::Terminate, &Request::Terminate)
    }

    fn reset(&mut self) -> CallResult<()> {
        self.done(Function::Reset, &Request::Reset)?;
        self.time = None;
        Ok(())
    }

    fn get_real(&mut self, references: &[RealRef], values: &mut [f64]) -> CallResult<()> {
        self.reals(Function::GetReal, &Request::GetReal(references.to_vec(), values.len()), values)
    }

    fn get_integer(&mut self, references: &[IntegerRef], values: &mut [i32]) -> CallResult<()> {
        let reply = self.ask(Function::GetInteger, &Request::GetInteger(references.to_vec(), values.len()))?;
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
        self.done(Function::SetReal, &Request::SetReal(references.to_vec(), values.to_vec()))
    }

    fn set_integer(&mut self, references: &[IntegerRef], values: &[i32]) -> CallResult<()> {
        self.done(Function::SetInteger, &Request::SetInteger(references.to_vec(), values.to_vec()))
    }

    fn set_boolean(&mut self, references: &[BooleanRef], values: &[bool]) -> CallResult<()> {
        self.done(Function::SetBoolean, &Request::SetBoolean(references.to_vec(), values.to_vec()))
    }

    fn set_string(&mut self, references: &[StringRef], values: &[&str]) -> CallResult<()> {
        let values = values.iter().map(|&value| value.to_owned()).collect();
        self.done(Function::SetString, &Request::SetString(references.to_vec(), values))
    }

    fn set_input_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &[f64]) -> CallResult<()> {
        let request = Request::SetInputDerivatives(references.to_vec(), orders.to_vec(), values.to_vec());
        self.done(Function::SetRealInputDerivatives, &request)
    }

    fn get_output_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &mut [f64]) -> CallResult<()> {
        let request = Request::GetOutputDerivatives(references.to_vec(), orders.to_vec(), values.to_vec());
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
        let request = Request::DirectionalDerivative { unknowns, knowns, seed, result: result.to_vec() };
        self.reals(Function::GetDirectionalDerivative, &request, result)
    }

    fn do_step(&mut self, t: f64, h: f64, commit: bool) -> CallResult<StepOutcome> {
        let reply = self.ask(Function::DoStep, &Request::DoStep { t, h, commit })?;
        self.finish_step(Function::DoStep, reply, (t, h), &mut [])
    }

    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.done(Function::DoStep, &Request::Bind(inputs.to_vec(), outputs.to_vec()))
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        const FUNCTION: Function = Function::DoStep;
        if !Channel::fits(inputs.len() + outputs.len()) {
            let request = Request::Step { inputs: inputs.to_vec(), t, h, outputs: outputs.to_vec() };
            let reply = self.ask(FUNCTION, &request)?;
            return self.finish_step(FUNCTION, reply, (t, h), outputs);
        }
        self.check(FUNCTION)?;
        match self.loader.process.step(inputs, (t, h), outputs, self.limit()) {
            Ok(None) => {
                self.time = Some(t + h);
                Ok(StepOutcome::Complete)
            }
            Ok(Some(reply)) => {
                let reply = self.settle(FUNCTION, Ok(reply))?;
                self.finish_step(FUNCTION, reply, (t, h), &mut [])
            }
            Err(end) => Err(self.ended(FUNCTION, end)),
        }
    }

    fn new_slot(&mut self) -> CallResult<Slot> {
        match self.ask(Function::GetFMUstate, &Request::NewSlot)? {
            Reply::Slot(slot) => Ok(slot),
            _ => Err(self.garbled(Function::GetFMUstate)),
        }
    }

    fn save(&mut self, slot: Slot) -> CallResult<()> {
        self.done(Function::GetFMUstate, &Request::Save(slot))?;
        let index = slot.0 as usize;
        if self.saved_times.len() <= index {
            self.saved_times.resize(index + 1, None);
        }
        self.saved_times[index] = self.time;
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

impl fmt::Debug for HostedInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostedInstance").field("name", &self.name).field("phase", &self.phase).finish_non_exhaustive()
    }
}

impl Drop for HostedInstance {
    fn drop(&mut self) {
        if let Err(error) = self.finish() {
            self.loader.process.lines.warn(error.to_string());
        }
    }
}
