//! Checks before a call, according to the call table, and the effect of its status on the instance.

use lotka_instance::{CallError, CallResult, Cause, Phase, Status};

use super::{Identity, Progress};
use crate::{function::Function, last_call::LastCall, shared::Lost};

/// The reason why a function was not called, or its values cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The library lacks it.
    Missing,
    /// Slices differ in length.
    Lengths,
    /// It was called, and returned OK without values.
    Unwritten,
}

/// The unchecked status, or the reason why no status counts.
pub(crate) type Reply = Result<i32, Refused>;

/// An instance whose calls are made in this process.
pub(crate) trait Imported {
    /// The functions of its version of FMI.
    type Function: Function;

    /// Whether its FMU can no longer be used.
    fn lost(&self) -> &Lost;
    /// The address that identifies the instance.
    fn address(&self) -> usize;
    fn last_call(&self) -> LastCall;
    fn progress(&self) -> &Progress;
    fn progress_mut(&mut self) -> &mut Progress;
    fn identity(&self) -> &Identity;

    /// Checks that the call table allows the function now, and records the beginning of its call.
    #[inline]
    fn check(&self, function: Self::Function) -> CallResult<()> {
        self.allow(function)?;
        self.begin(function);
        Ok(())
    }

    /// Records the beginning of a call.
    #[inline]
    fn begin(&self, function: Self::Function) {
        let progress = self.progress();
        let time = if progress.is_set_up { progress.time } else { f64::NAN };
        self.last_call().begin(function, self.address(), time);
    }

    /// Checks that the call table allows the function now.
    #[inline]
    fn allow(&self, function: Self::Function) -> CallResult<()> {
        if function.allowed_in(self.progress().phase) && !self.lost().is_lost() {
            Ok(())
        } else {
            Err(self.error(function, Cause::NotAllowed(self.current_phase())))
        }
    }

    /// Like [`Imported::allow`]; also checks that the FMU has the capability.
    fn allow_capability(&self, function: Self::Function, has_it: bool) -> CallResult<()> {
        if has_it { self.allow(function) } else { Err(self.error(function, Cause::Unsupported)) }
    }

    /// Like [`Imported::check`]; also checks that the FMU has the capability.
    fn check_capability(&self, function: Self::Function, has_it: bool) -> CallResult<()> {
        self.allow_capability(function, has_it)?;
        self.begin(function);
        Ok(())
    }

    #[inline]
    fn current_phase(&self) -> Phase {
        if self.lost().is_lost() { Phase::Fatal } else { self.progress().phase }
    }

    /// Processes the result of a call.
    #[inline]
    fn settle(&mut self, function: Self::Function, reply: Reply) -> CallResult<()> {
        self.last_call().returned();
        match reply {
            Ok(0) => Ok(()),
            other => self.settle_rest(function, other),
        }
    }

    #[cold]
    fn settle_rest(&mut self, function: Self::Function, reply: Reply) -> CallResult<()> {
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
            Ok(status) if status != Status::Pending || Self::Function::HAS_PENDING => Err(self.failure(function, status)),
            Ok(_) | Err(_) => {
                self.progress_mut().phase = Phase::Error;
                Err(self.error(function, Cause::UnknownStatus(raw)))
            }
        }
    }

    /// Returns the error for a status that is neither OK nor a warning, after applying its effect on the instance. A discarded
    /// call leaves the instance unchanged.
    fn failure(&mut self, function: Self::Function, status: Status) -> Box<CallError> {
        match status {
            Status::Ok | Status::Warning | Status::Discard => {}
            Status::Error | Status::Pending => self.progress_mut().phase = Phase::Error,
            Status::Fatal => {
                self.progress_mut().phase = Phase::Fatal;
                self.lost().set_lost();
            }
        }
        self.error(function, Cause::Status(status))
    }

    /// A warning should be accompanied by a log line; if it is not, a line is added.
    #[cold]
    fn report_warning(&self, function: Self::Function) {
        let journal = self.identity().journal();
        if !journal.take_complaint() {
            journal.warn(format!("{function} returned {} and logged nothing", function.into().status(Status::Warning)));
        }
    }

    #[cold]
    fn refusal(&self, function: Self::Function, refused: Refused) -> Box<CallError> {
        self.error(
            function,
            match refused {
                Refused::Missing => Cause::Unsupported,
                Refused::Lengths => Cause::BadArgument("the slices differ in length".into()),
                Refused::Unwritten => Cause::BadReply("wrote no value".into()),
            },
        )
    }

    #[cold]
    fn error(&self, function: Self::Function, cause: Cause) -> Box<CallError> {
        self.last_call().returned();
        Box::new(CallError {
            instance: self.identity().name.clone(),
            function: function.into(),
            variables: Vec::new(),
            time: self.progress().time(),
            cause,
            log: self.identity().journal().last_lines(),
        })
    }

    /// The end of a step, which must be after its beginning \[s\].
    #[inline]
    fn end_of_step(&self, function: Self::Function, t: f64, h: f64) -> CallResult<f64> {
        let end = t + h;
        if t < end && end < f64::INFINITY { Ok(end) } else { Err(self.bad_step(function, t, h)) }
    }

    #[cold]
    fn bad_step(&self, function: Self::Function, t: f64, h: f64) -> Box<CallError> {
        let what = format!("step size {h} s from t = {t} s; it must be finite and greater than 0");
        self.error(function, Cause::BadArgument(what))
    }

    /// Converts texts for C; those with a NUL character inside are refused.
    fn c_strings(&self, function: Self::Function, texts: &[&str]) -> CallResult<Vec<std::ffi::CString>> {
        let convert = |text: &&str| {
            std::ffi::CString::new(*text).map_err(|_| {
                let what = format!("the text `{}` contains a NUL character", text.escape_debug());
                self.error(function, Cause::BadArgument(what))
            })
        };
        texts.iter().map(convert).collect()
    }
}
