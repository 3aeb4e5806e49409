//! Checks before a call, according to the call table, and the effect of its status on the instance.

use fmi2::Function;
use lotka_instance::{CallError, CallResult, Cause, Phase, Status};

use super::FmuInstance;
use crate::calls::{Refused, Reply};

impl FmuInstance {
    /// Checks that the call table allows the function now, and records the beginning of its call.
    #[inline]
    pub(super) fn check(&self, function: Function) -> CallResult<()> {
        self.allow(function)?;
        self.begin(function);
        Ok(())
    }

    /// Records the beginning of a call.
    #[inline]
    pub(super) fn begin(&self, function: Function) {
        let time = if self.progress.is_set_up { self.progress.time } else { f64::NAN };
        self.binding.last_call.begin(function, self.calls.address(), time);
    }

    /// Checks that the call table allows the function now.
    #[inline]
    pub(super) fn allow(&self, function: Function) -> CallResult<()> {
        if function.allowed_in(self.progress.phase) && !self.calls.fmu.shared.is_lost() {
            Ok(())
        } else {
            Err(self.error(function, Cause::NotAllowed(self.current_phase())))
        }
    }

    /// Like [`FmuInstance::allow`]; also checks that the FMU has the capability.
    pub(super) fn allow_capability(&self, function: Function, has_it: bool) -> CallResult<()> {
        if has_it { self.allow(function) } else { Err(self.error(function, Cause::Unsupported)) }
    }

    /// Like [`FmuInstance::check`]; also checks that the FMU has the capability.
    pub(super) fn check_capability(&self, function: Function, has_it: bool) -> CallResult<()> {
        self.allow_capability(function, has_it)?;
        self.begin(function);
        Ok(())
    }

    #[inline]
    pub(super) fn current_phase(&self) -> Phase {
        if self.calls.fmu.shared.is_lost() { Phase::Fatal } else { self.progress.phase }
    }

    /// Processes the result of a call.
    #[inline]
    pub(super) fn settle(&mut self, function: Function, reply: Reply) -> CallResult<()> {
        self.binding.last_call.returned();
        match reply {
            Ok(0) => Ok(()),
            other => self.settle_rest(function, other),
        }
    }

    #[cold]
    fn settle_rest(&mut self, function: Function, reply: Reply) -> CallResult<()> {
        let raw = match reply {
            Ok(raw) => raw,
            Err(refused) => return Err(self.refusal(function, refused)),
        };
        match Status::try_from(raw) {
            Ok(Status::Ok) => Ok(()),
            Ok(Status::Warning) => {
                self.report_warning(function);
                Ok(())
            }
            Ok(status) => Err(self.failure(function, status)),
            Err(unknown) => {
                self.progress.phase = Phase::Error;
                Err(self.error(function, Cause::UnknownStatus(unknown.0)))
            }
        }
    }

    /// Returns the error for a status that is neither OK nor a warning, after applying its effect on the instance. A discarded
    /// call leaves the instance unchanged.
    pub(super) fn failure(&mut self, function: Function, status: Status) -> Box<CallError> {
        match status {
            Status::Ok | Status::Warning | Status::Discard => {}
            Status::Error | Status::Pending => self.progress.phase = Phase::Error,
            Status::Fatal => {
                self.progress.phase = Phase::Fatal;
                self.calls.fmu.shared.set_lost();
            }
        }
        self.error(function, Cause::Status(status))
    }

    /// A warning should be accompanied by a log line; if it is not, a line is added.
    #[cold]
    pub(super) fn report_warning(&self, function: Function) {
        let journal = self.log.journal();
        if !journal.take_complaint() {
            journal.warn(format!("{function} returned fmi2Warning and logged nothing"));
        }
    }

    #[cold]
    pub(super) fn refusal(&self, function: Function, refused: Refused) -> Box<CallError> {
        self.error(
            function,
            match refused {
                Refused::Missing => Cause::Unsupported,
                Refused::Lengths => Cause::BadArgument("the slices differ in length".into()),
            },
        )
    }

    #[cold]
    pub(super) fn error(&self, function: Function, cause: Cause) -> Box<CallError> {
        self.binding.last_call.returned();
        Box::new(CallError {
            instance: self.name.clone(),
            function: function.into(),
            variables: Vec::new(),
            time: self.progress.time(),
            cause,
            log: self.log.journal().last_lines(),
        })
    }
}
