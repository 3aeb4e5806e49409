//! An instance in a process of its own.

use std::fmt;
use std::time::Duration;

use fmi2::Function;
use fmu::InstantiateOptions;
use lotka_instance::{
    CallError, CallResult, Cause, Discard, FunctionName, InstanceFactory, Phase, ProcessEnd, Status, StepOutcome,
};

use super::HostedFmu;
use super::fmu::Loader;
use super::time_limit::TimeLimit;
use crate::Error;
use crate::platform::Watched;
use crate::protocol::{Reply, Request};

/// A function that the host calls: of both versions of FMI, or one that only FMI 3.0 has.
#[derive(Debug, Clone, Copy)]
pub(super) enum Called {
    Common(Function),
    Only3(fmi3::Function),
}

impl From<Function> for Called {
    fn from(function: Function) -> Self {
        Self::Common(function)
    }
}

impl From<fmi3::Function> for Called {
    fn from(function: fmi3::Function) -> Self {
        Self::Only3(function)
    }
}

/// An instance of a [`HostedFmu`], in a process of its own that ends with it.
///
/// If the process ends (after a crash, `exit` or a time limit), the call fails with [`Cause::ProcessEnded`]. Afterwards the phase
/// is [`Phase::Fatal`].
pub struct HostedInstance {
    pub(super) loader: Loader,
    pub(super) fmu: HostedFmu,
    pub(super) name: String,
    pub(super) phase: Phase,
    /// Communication point \[s\], if it has reached one.
    pub(super) time: Option<f64>,
    /// The communication points of the saved states; one for each slot ever allocated.
    pub(super) saved_times: Vec<Option<f64>>,
    /// The error of the call in which the process ended, repeated by every later call.
    last: Option<Box<CallError>>,
    /// Number of denied system calls that errors have reported.
    n_denied_reported: usize,
    /// The step that has begun.
    pub(super) begun: Option<BegunStep>,
}

/// A step from `t` by `h` \[s\] that the host makes.
pub(super) struct BegunStep {
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) time: TimeLimit,
}

const PHASES: [Phase; 10] = [
    Phase::Instantiated,
    Phase::Initialization,
    Phase::StepComplete,
    Phase::StepInProgress,
    Phase::StepFailed,
    Phase::StepCanceled,
    Phase::Terminated,
    Phase::Error,
    Phase::Fatal,
    Phase::Event,
];

impl HostedInstance {
    pub(super) fn new(fmu: &HostedFmu, mut loader: Loader, name: &str, options: &InstantiateOptions) -> Result<Self, Error> {
        let &InstantiateOptions { logging_on, visible, pending_timeout_s, event_mode, input_polynomials, .. } = options;
        loader.process.lines.listen(name, options.log.clone());
        let request = Request::Instantiate {
            name: name.to_owned(),
            logging_on,
            visible,
            pending_timeout_s,
            event_mode,
            input_polynomials,
            structure: fmu.structure().clone(),
        };
        let reply = loader.process.ask(&request, fmu.shared.options.init_timeout);
        let mut instance = Self {
            loader,
            fmu: fmu.clone(),
            name: name.to_owned(),
            phase: Phase::Instantiated,
            time: None,
            saved_times: Vec::new(),
            last: None,
            n_denied_reported: 0,
            begun: None,
        };
        match reply {
            Ok(Reply::Done) => Ok(instance),
            // The reason includes the log lines of the FMU.
            Ok(Reply::Refused(reason)) => {
                Err(Error::Refused { reason, log: instance.loader.process.note().into_iter().collect() })
            }
            Ok(_) => {
                Err(instance
                    .not_made(ProcessEnd::Corrupted(format!("the reply to {}", instance.function(Function::Instantiate)))))
            }
            Err(end) => Err(instance.not_made(end)),
        }
    }

    fn not_made(&mut self, end: ProcessEnd) -> Error {
        self.phase = Phase::Fatal;
        let (path, log) = (self.fmu.path().to_owned(), self.loader.process.circumstances());
        Error::Ended { path, doing: self.function(Function::Instantiate).to_string(), end, log }
    }

    /// Returns the FMU of this instance.
    #[must_use]
    pub fn fmu(&self) -> &HostedFmu {
        &self.fmu
    }

    /// Returns the state of the process before the FMU was loaded, and at present.
    ///
    /// # Errors
    /// The process has ended.
    pub fn process_state(&mut self) -> CallResult<Watched> {
        match self.ask(Function::GetTypesPlatform, &Request::ProcessState)? {
            Reply::ProcessState(watched) => Ok(*watched),
            _ => Err(self.garbled(Function::GetTypesPlatform)),
        }
    }

    /// Frees the FMU's instance and keeps the process alive, so that its state can be examined. Every other call fails
    /// afterwards.
    ///
    /// # Errors
    /// `fmi2FreeInstance` did not return.
    pub fn free(&mut self) -> CallResult<()> {
        let result = self.done(Function::FreeInstance, &Request::Free);
        // Whoever looks at the process next sees what the FMU printed, too.
        self.loader.process.read_output();
        result
    }

    /// The name of a function in the version of FMI of this FMU.
    fn function(&self, function: impl Into<Called>) -> FunctionName {
        match function.into() {
            Called::Common(function) => self.fmu.description().function(function),
            Called::Only3(function) => function.into(),
        }
    }

    /// The time limit of a call in the present phase.
    #[inline]
    pub(super) fn limit(&self) -> Option<Duration> {
        let options = &self.fmu.shared.options;
        match self.phase {
            Phase::Instantiated | Phase::Initialization => options.init_timeout,
            _ => options.step_timeout,
        }
    }

    /// Checks that the process can be called.
    #[inline]
    pub(super) fn check(&self, function: impl Into<Called>) -> CallResult<()> {
        match (self.phase, &self.last) {
            (Phase::Fatal, Some(last)) => Err(last.clone()),
            (Phase::Fatal, None) => Err(self.error(function, Cause::NotAllowed(Phase::Fatal))),
            _ => Ok(()),
        }
    }

    /// Returns the result of a call for variables; an error of the process names the function for the type of the first one.
    pub(super) fn typed<T>(&mut self, function: Function, reference: Option<u32>, result: CallResult<T>) -> CallResult<T> {
        result.map_err(|error| {
            // Later calls repeat the error of another one.
            if error.function != self.function(function) {
                return error;
            }
            let mut variables = InstanceFactory::description(&self.fmu).variables.iter();
            let variable = variables.find(|variable| Some(variable.value_reference) == reference);
            let Some(last) = self.last.as_mut().filter(|last| **last == error) else { return error };
            let Some(variable) = variable else { return error };
            last.function = self.fmu.description().function_for(function, &variable.kind);
            last.clone()
        })
    }

    /// Has the host make a call, and updates the phase afterwards.
    pub(super) fn ask(&mut self, function: impl Into<Called>, request: &Request) -> CallResult<Reply> {
        let function = function.into();
        self.check(function)?;
        let reply = self.loader.process.ask(request, self.limit());
        self.settle(function, reply)
    }

    /// Processes a reply.
    pub(super) fn settle(&mut self, function: impl Into<Called>, reply: Result<Reply, ProcessEnd>) -> CallResult<Reply> {
        let function = function.into();
        let reply = reply.map_err(|end| self.ended(function, end))?;
        let number = self.loader.process.phase();
        let Some(phase) = PHASES.into_iter().find(|phase| *phase as u64 == number) else {
            return Err(self.garbled(function));
        };
        self.phase = phase;
        match reply {
            Reply::Failed(error) if !is_of_an_fmu(&error.cause) => Err(self.garbled(function)),
            Reply::Failed(error) => {
                let log = error.log.iter().cloned().chain(self.loader.process.note()).collect();
                self.n_denied_reported = self.loader.process.denied_calls().len();
                Err(with_log(&self.name, *error, log))
            }
            reply => Ok(reply),
        }
    }

    pub(super) fn done(&mut self, function: impl Into<Called>, request: &Request) -> CallResult<()> {
        let function = function.into();
        match self.ask(function, request)? {
            Reply::Done => Ok(()),
            _ => Err(self.garbled(function)),
        }
    }

    /// Copies the values of a reply; their number must match.
    pub(super) fn values<T>(&mut self, function: Function, values: &mut [T], brought: Option<Vec<T>>) -> CallResult<()> {
        let Some(brought) = brought.filter(|brought| brought.len() == values.len()) else { return Err(self.garbled(function)) };
        values.iter_mut().zip(brought).for_each(|(value, new)| *value = new);
        Ok(())
    }

    pub(super) fn reals(&mut self, function: Function, request: &Request, values: &mut [f64]) -> CallResult<()> {
        let reply = self.ask(function, request)?;
        self.values(function, values, if let Reply::Reals(brought) = reply { Some(brought) } else { None })
    }

    #[cold]
    pub(super) fn garbled(&mut self, function: impl Into<Called>) -> Box<CallError> {
        let function = function.into();
        let end = self.loader.process.kill(ProcessEnd::Corrupted(format!("the reply to {}", self.function(function))));
        self.ended(function, end)
    }

    #[cold]
    pub(super) fn ended(&mut self, function: impl Into<Called>, end: ProcessEnd) -> Box<CallError> {
        self.phase = Phase::Fatal;
        let error = self.error(function, Cause::ProcessEnded(end));
        self.last = Some(error.clone());
        error
    }

    /// Has the host free the instance and end.
    pub(super) fn finish(&mut self) -> CallResult<()> {
        if self.phase == Phase::Fatal {
            return Ok(());
        }
        let finished = self.loader.process.finish(self.fmu.shared.options.step_timeout);
        self.phase = Phase::Fatal;
        self.warn_of_denied_calls();
        finished.map_err(|end| self.ended(Function::FreeInstance, end))
    }

    #[cold]
    pub(super) fn error(&self, function: impl Into<Called>, cause: Cause) -> Box<CallError> {
        let (instance, time, log) = (self.name.clone(), self.time, self.loader.process.circumstances());
        Box::new(CallError { instance, function: self.function(function), variables: Vec::new(), time, cause, log })
    }

    /// Warns about denied system calls that no error has reported.
    #[cold]
    fn warn_of_denied_calls(&mut self) {
        let process = &self.loader.process;
        if let Some(note) = process.note().filter(|_| process.denied_calls().len() > self.n_denied_reported) {
            process.lines.warn(note);
        }
    }

    /// Processes the result of a step from `t` by `h`.
    pub(super) fn judge_step(
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
            Reply::Outcome(StepOutcome::EarlyReturn(time), brought) if brought.len() == outputs.len() => {
                let outcome = StepOutcome::stopped_at(time, t, h);
                if !matches!(outcome, StepOutcome::Discarded(_)) {
                    outputs.copy_from_slice(&brought);
                    self.time = Some(time);
                }
                Ok(outcome)
            }
            Reply::Outcome(StepOutcome::Event(time), brought) if brought.len() == outputs.len() => {
                let stop = Discard { last_successful_time: Some(time), terminate: false }.within(t, h);
                let time = stop.last_successful_time.ok_or_else(|| self.garbled(function))?;
                outputs.copy_from_slice(&brought);
                self.time = Some(time);
                Ok(StepOutcome::Event(time))
            }
            Reply::Outcome(StepOutcome::Discarded(discard), _) => Ok(StepOutcome::Discarded(Box::new(discard.within(t, h)))),
            _ => Err(self.garbled(function)),
        }
    }
}

/// Whether a call into an FMU can fail for this cause. A host that ended, or a status that is no failure, is seen by the master
/// itself.
fn is_of_an_fmu(cause: &Cause) -> bool {
    match cause {
        Cause::Status(status) => !matches!(status, Status::Ok | Status::Warning),
        Cause::UnknownStatus(number) => !(0..=4).contains(number),
        Cause::ProcessEnded(_) => false,
        _ => true,
    }
}

/// Converts an error reported by a host. Errors are identified by the instance name, for which the host is not trusted.
fn with_log(name: &str, error: CallError, log: Vec<String>) -> Box<CallError> {
    Box::new(CallError { instance: name.to_owned(), log, ..error })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_failure_of_a_call_is_no_error_of_one() {
        let forged = [
            Cause::Status(Status::Ok),
            Cause::Status(Status::Warning),
            Cause::UnknownStatus(0),
            Cause::ProcessEnded(ProcessEnd::Exit(0)),
        ];
        assert!(!forged.iter().any(is_of_an_fmu));
        let sound = [Cause::Status(Status::Discard), Cause::UnknownStatus(5), Cause::UnknownStatus(-1), Cause::Unsupported];
        assert!(sound.iter().all(is_of_an_fmu));
    }

    #[test]
    fn an_error_has_the_name_of_the_instance_whatever_its_host_says() {
        let cause = Cause::Status(Status::Error);
        let error = CallError {
            instance: "other".into(),
            function: Function::DoStep.into(),
            variables: Vec::new(),
            time: Some(1.5),
            cause,
            log: vec!["old".into()],
        };
        let expected = CallError { instance: "prey".into(), log: vec!["new".into()], ..error.clone() };
        assert_eq!(*with_log("prey", error, vec!["new".into()]), expected);
    }
}
