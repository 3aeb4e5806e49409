//! Exit codes. Scripts depend on them: a code never changes its meaning.

use std::panic::{self, UnwindSafe};

use lotka::{Code, Error, RunError, RunFailure};

use crate::{shown::Shown, stderr::write_line};

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitCode {
    Done = 0,
    Internal = 1,
    Usage = 2,
    System = 10,
    Fmu = 11,
    Initialization = 12,
    Step = 13,
    Comparison = 14,
    Tolerance = 15,
    Output = 16,
    Process = 17,
    Checkpoint = 18,
    Limited = 19,
    Interrupted = 130,
}

/// All codes with their meanings, as `lotka --help` shows them.
const MEANINGS: [(ExitCode, &str); 14] = [
    (ExitCode::Done, "success, including a run that an FMU ended early, or whose stdout the reader closed"),
    (ExitCode::Internal, "internal error: a bug in lotka, or out of memory"),
    (ExitCode::Usage, "wrong usage: unknown flag, missing argument, invalid value"),
    (ExitCode::System, "the system file, or a file to compare, cannot be read or is inconsistent"),
    (ExitCode::Fmu, "an FMU cannot be loaded or instantiated, or breaks a rule that its use depends on"),
    (ExitCode::Initialization, "the initialization failed"),
    (
        ExitCode::Step,
        "a step failed: FMU error, discarded step, NaN, no convergence, step size below minimum; or a run of a study",
    ),
    (ExitCode::Comparison, "the comparison found differences"),
    (ExitCode::Tolerance, "the `tolerance` was not reached; the best results are written, with their estimated errors"),
    (ExitCode::Output, "results, or a converted system, could not be written"),
    (ExitCode::Process, "an FMU ended its process (crash, abort, exit) or did not return in time, or the process was killed"),
    (ExitCode::Checkpoint, "the run cannot make checkpoints, or continue from one: truncated, other version, changed files"),
    (
        ExitCode::Limited,
        "`check --run`: usable with restrictions; `--hostile`: something was found; `--together`: FMUs influence each other",
    ),
    (ExitCode::Interrupted, "interrupted by Ctrl-C or a termination signal; the first signal still writes the rows so far"),
];

impl ExitCode {
    /// Lists all codes, one per line.
    pub(crate) fn table() -> String {
        let line = |&(code, meaning): &(Self, &str)| format!("\n  {:>3}  {meaning}", code as u8);
        format!("Exit codes:{}", MEANINGS.iter().map(line).collect::<String>())
    }

    /// Returns the meaning of the code.
    pub(crate) fn meaning(self) -> &'static str {
        MEANINGS.iter().find(|(code, _)| *code == self).map_or("", |(_, meaning)| meaning)
    }

    /// Converts the exit code of a child that ran the same command.
    pub(crate) fn from_child(code: u8) -> Self {
        MEANINGS.iter().map(|(known, _)| *known).find(|known| *known as u8 == code).unwrap_or(Self::Internal)
    }

    /// Returns the code for an error outside of a run.
    pub(crate) fn of(error: &Error) -> Self {
        match error {
            _ if error.ended_process() => Self::Process,
            Error::System(_) | Error::Read(_) => Self::System,
            Error::Load(_) | Error::Fmu(_) => Self::Fmu,
            Error::Checkpoint(_) => Self::Checkpoint,
            Error::Save { .. } => Self::Output,
            Error::Run(error) => Self::of_step(error),
            _ => Self::Internal,
        }
    }

    fn of_step(error: &RunError) -> Self {
        match error {
            _ if error.ended_process() => Self::Process,
            RunError::RelativeToZero { .. }
            | RunError::NeedsPromise { .. }
            | RunError::BelowNoise { .. }
            | RunError::BelowSinglePrecision { .. } => Self::System,
            RunError::Instantiation(_) => Self::Fmu,
            RunError::Initialization(_) | RunError::InitializationLoop { .. } | RunError::SteadyState { .. } => {
                Self::Initialization
            }
            RunError::ToleranceNotReached(_) => Self::Tolerance,
            RunError::Call(_)
            | RunError::Discarded { .. }
            | RunError::NotFinite { .. }
            | RunError::NotConverged { .. }
            | RunError::EndedEarly { .. }
            | RunError::Chatter { .. }
            | RunError::NoProgress { .. }
            | RunError::LostEvent { .. }
            | RunError::StepTooSmall { .. } => Self::Step,
            RunError::Checkpoint(_) => Self::Checkpoint,
            _ => Self::Internal,
        }
    }

    /// Returns the code for a failed run. A failure before the first step belongs to the initialization.
    pub(crate) fn of_run(failure: &RunFailure) -> Self {
        match Self::of_step(&failure.error) {
            Self::Step if failure.report.counters.n_step_attempts == 0 => Self::Initialization,
            code => code,
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}

/// Runs `work`. A panic in it is a bug, which is reported in one sentence.
pub(crate) fn guarded(work: impl FnOnce() -> ExitCode + UnwindSafe) -> ExitCode {
    panic::set_hook(Box::new(|panic| {
        if lotka::command::panic_is_caught() {
            return;
        }
        let payload = panic.payload();
        let reason = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let reason = reason.unwrap_or("no reason given");
        let place = panic.location().map(|at| format!(" at {at}")).unwrap_or_default();
        let text = format!("internal error{place}: {reason}; this is a bug in lotka, please report it");
        write_line(&Shown::message(&Code::InternalError.mark(&text)));
    }));
    panic::catch_unwind(work).unwrap_or(ExitCode::Internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_those_that_scripts_know() {
        let codes: Vec<_> = MEANINGS.iter().map(|(code, _)| *code as u8).collect();
        assert_eq!(codes, [0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 130]);
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(guarded(|| panic!("a test")), ExitCode::Internal);
        assert_eq!(guarded(|| ExitCode::Done), ExitCode::Done);
    }
}
