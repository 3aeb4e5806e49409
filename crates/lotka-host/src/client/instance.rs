//! An instance in a process of its own.

use std::fmt;
use std::time::Duration;

use fmi2::Function;
use fmu::InstantiateOptions;
use lotka_instance::{CallError, CallResult, Cause, Phase, ProcessEnd, StepOutcome};

use super::HostedFmu;
use super::fmu::Loader;
use crate::Error;
use crate::process_state::Watched;
use crate::protocol::{Reply, Request};

/// One instance of a [`HostedFmu`], in a process of its own that ends with it.
///
/// What brings the process to an end (a crash, `exit`, a time limit) is an error of the call with [`Cause::ProcessEnded`]; after it the phase
/// is [`Phase::Fatal`].
pub struct HostedInstance {
    pub(super) loader: Loader,
    pub(super) fmu: HostedFmu,
    pub(super) name: String,
    pub(super) phase: Phase,
    /// Communication point \[s\], once there is one.
    pub(super) time: Option<f64>,
    /// The same when a slot was saved into; one for each slot that there ever was.
    pub(super) saved_times: Vec<Option<f64>>,
    /// The call in which the process came to an end: every later one fails like it.
    last: Option<Box<CallError>>,
    /// How many denied system calls an error has told of.
    denied_told: usize,
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
            denied_told: 0,
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
    #[must_use]
    pub fn fmu(&self) -> &HostedFmu {
        &self.fmu
    }

    /// What the process was like before the FMU was loaded, and is like now.
    ///
    /// # Errors
    /// The process has ended.
    pub fn process_state(&mut self) -> CallResult<Watched> {
        match self.ask(Function::GetTypesPlatform, &Request::ProcessState)? {
            Reply::ProcessState(watched) => Ok(*watched),
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
    pub(super) fn limit(&self) -> Option<Duration> {
        let options = &self.fmu.shared.options;
        match self.phase {
            Phase::Instantiated | Phase::Initialization => options.init_timeout,
            _ => options.step_timeout,
        }
    }

    /// Whether there is somebody to ask.
    #[inline]
    pub(super) fn check(&self, function: Function) -> CallResult<()> {
        match (self.phase, &self.last) {
            (Phase::Fatal, Some(last)) => Err(last.clone()),
            (Phase::Fatal, None) => Err(self.error(function, Cause::NotAllowed(Phase::Fatal))),
            _ => Ok(()),
        }
    }

    /// Has the host make a call, and takes note of the phase afterwards.
    pub(super) fn ask(&mut self, function: Function, request: &Request) -> CallResult<Reply> {
        self.check(function)?;
        let reply = self.loader.process.ask(request, self.limit());
        self.settle(function, reply)
    }

    /// What a reply does to the instance.
    pub(super) fn settle(&mut self, function: Function, reply: Result<Reply, ProcessEnd>) -> CallResult<Reply> {
        let reply = reply.map_err(|end| self.ended(function, end))?;
        let number = self.loader.process.phase();
        let Some(phase) = PHASES.into_iter().find(|phase| *phase as u64 == number) else {
            return Err(self.garbled(function));
        };
        self.phase = phase;
        match reply {
            Reply::Failed(error) => {
                let log = error.log.iter().cloned().chain(self.loader.process.note()).collect();
                self.denied_told = self.loader.process.denied_calls().len();
                Err(told_of(&self.name, *error, log))
            }
            reply => Ok(reply),
        }
    }

    pub(super) fn done(&mut self, function: Function, request: &Request) -> CallResult<()> {
        match self.ask(function, request)? {
            Reply::Done => Ok(()),
            _ => Err(self.garbled(function)),
        }
    }

    /// Copies values that a reply brings; as many as are wanted.
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
    pub(super) fn garbled(&mut self, function: Function) -> Box<CallError> {
        let end = self.loader.process.kill(ProcessEnd::Corrupted(format!("the reply to {function}")));
        self.ended(function, end)
    }

    #[cold]
    pub(super) fn ended(&mut self, function: Function, end: ProcessEnd) -> Box<CallError> {
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
    fn error(&self, function: Function, cause: Cause) -> Box<CallError> {
        let (instance, time, log) = (self.name.clone(), self.time, self.loader.process.circumstances());
        Box::new(CallError { instance, function: function.into(), variables: Vec::new(), time, cause, log })
    }

    /// Tells which system calls were denied, where no error has.
    #[cold]
    fn warn_of_denied_calls(&mut self) {
        let process = &self.loader.process;
        if let Some(note) = process.note().filter(|_| process.denied_calls().len() > self.denied_told) {
            process.lines.warn(note);
        }
    }

    /// Takes note of what became of a step from `t` by `h`.
    pub(super) fn finish_step(
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
            Reply::Outcome(StepOutcome::Discarded(discard), _) => Ok(StepOutcome::Discarded(Box::new(discard.within(t, h)))),
            _ => Err(self.garbled(function)),
        }
    }
}

/// An error that a host told. The name is what errors are told apart by; that of the host is not believed.
fn told_of(name: &str, error: CallError, log: Vec<String>) -> Box<CallError> {
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
    fn an_error_has_the_name_of_the_instance_whatever_its_host_says() {
        let cause = Cause::Status(lotka_instance::Status::Error);
        let error = CallError {
            instance: "other".into(),
            function: Function::DoStep.into(),
            variables: Vec::new(),
            time: Some(1.5),
            cause,
            log: vec!["old".into()],
        };
        let expected = CallError { instance: "prey".into(), log: vec!["new".into()], ..error.clone() };
        assert_eq!(*told_of("prey", error, vec!["new".into()]), expected);
    }
}
