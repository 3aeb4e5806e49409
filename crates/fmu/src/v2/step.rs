//! Steps that are not simply complete: discarded, pending, failed.

use std::hint;
use std::thread;
use std::time::{Duration, Instant};

use fmi2::Function;
use fmi2::ffi::{DO_STEP_STATUS, LAST_SUCCESSFUL_TIME, RawStatus, TERMINATED};
use lotka_instance::{CallError, CallResult, Cause, Discard, Phase, Status, StepOutcome};

use super::FmuInstance;
use crate::instance::{Imported, Refused};

impl FmuInstance {
    /// Makes a step; the phase has been checked.
    #[inline]
    pub(super) fn advance(&mut self, t: f64, h: f64, commit: bool) -> CallResult<StepOutcome> {
        let end = self.end_of_step(Function::DoStep, t, h)?;
        self.binding.last_call.begin(Function::DoStep, self.calls.address(), t);
        let status = self.calls.do_step(t, h, commit);
        match status {
            0 => {
                self.progress.time = end;
                self.binding.last_call.returned();
                Ok(StepOutcome::Complete)
            }
            status => self.judge_step(status, t, h),
        }
    }

    #[cold]
    pub(super) fn judge_step(&mut self, status: RawStatus, t: f64, h: f64) -> CallResult<StepOutcome> {
        self.binding.last_call.returned();
        self.progress.time = t;
        match Status::try_from(status) {
            Ok(Status::Pending) => {
                let status = self.wait_for_step()?;
                self.finish_step(status, t, h)
            }
            _ => self.finish_step(status, t, h),
        }
    }

    /// Interprets the final status of a step.
    fn finish_step(&mut self, status: RawStatus, t: f64, h: f64) -> CallResult<StepOutcome> {
        if status == Status::Discard as i32 {
            return self.ask_about_discard(t, h).map(|discard| StepOutcome::Discarded(Box::new(discard)));
        }
        self.settle(Function::DoStep, Ok(status))?;
        self.progress.phase = Phase::StepComplete;
        self.progress.time = t + h;
        Ok(StepOutcome::Complete)
    }

    /// Queries how far a discarded step got and whether the FMU requests the end. FMUs that do not answer are tolerated.
    fn ask_about_discard(&mut self, t: f64, h: f64) -> CallResult<Discard> {
        self.progress.phase = Phase::StepFailed;
        self.begin(Function::GetRealStatus);
        let reply = self.calls.get_real_status(LAST_SUCCESSFUL_TIME);
        let last_successful_time = self.answer(Function::GetRealStatus, reply)?;
        self.begin(Function::GetBooleanStatus);
        let reply = self.calls.get_boolean_status(TERMINATED);
        let terminate = self.answer(Function::GetBooleanStatus, reply)?.is_some_and(|value| value != 0);
        let discard = Discard { last_successful_time, terminate }.within(t, h);
        if !terminate && discard.last_successful_time.is_none_or(|time| time <= t) {
            // It has made no part of the step, as far as it says, and may accept another one, as in FMI 3.0.
            self.progress.phase = Phase::StepComplete;
        }
        Ok(discard)
    }

    fn answer<T>(&mut self, function: Function, reply: Result<(RawStatus, T), Refused>) -> CallResult<Option<T>> {
        self.binding.last_call.returned();
        match reply {
            Ok((status, _)) if status == Status::Fatal as i32 => Err(self.failure(function, Status::Fatal)),
            Ok((0 | 1, value)) => Ok(Some(value)),
            _ => Ok(None),
        }
    }

    /// Waits for an asynchronous step and returns its final status; cancels it after the time limit.
    fn wait_for_step(&mut self) -> CallResult<RawStatus> {
        self.progress.phase = Phase::StepInProgress;
        let start = Instant::now();
        let mut polls = 0;
        while start.elapsed() < self.pending_timeout {
            self.begin(Function::GetStatus);
            let reply = self.calls.get_status(DO_STEP_STATUS);
            match self.answer(Function::GetStatus, reply)? {
                Some(status) if status == Status::Pending as i32 => {}
                Some(status) => return Ok(status),
                None => return Err(self.no_progress_report()),
            }
            pause(polls);
            polls += 1;
        }
        self.cancel();
        Err(self.error(Function::DoStep, Cause::PendingTimeout(self.pending_timeout.as_secs_f64())))
    }

    /// Returns the error for an FMU that does not report when its step is complete.
    fn no_progress_report(&mut self) -> Box<CallError> {
        self.cancel();
        self.error(Function::GetStatus, Cause::Unsupported)
    }

    /// Cancels the step. If that fails, the instance is in no state in which it can be freed.
    fn cancel(&mut self) {
        self.begin(Function::CancelStep);
        let reply = self.calls.cancel_step();
        self.binding.last_call.returned();
        if matches!(reply, Ok(0 | 1)) {
            self.progress.phase = Phase::StepCanceled;
        }
    }
}

/// Waits briefly: at first not at all, then by yielding, then by sleeping.
fn pause(polls: u32) {
    match polls {
        0..64 => hint::spin_loop(),
        64..256 => thread::yield_now(),
        _ => thread::sleep(Duration::from_micros(100)),
    }
}
