//! Errors that end a run before its stop time.

mod global_error;
mod session_refusal;
mod words;

pub use global_error::{Discontinuity, FoundSwitch, FoundTimes, GlobalError, InternalSteps, OutputError};
pub use session_refusal::SessionRefusal;

use lotka_instance::{CallError, Cause, InstantiationError, Status};
use lotka_message::{Code, Coded};
use lotka_plan::time::Shown;

use self::words::{Short, no_point, of_instance, still_changing};
use crate::checkpoint::CheckpointRefusal;

/// The reason why a system could not be built or a run could not continue. Numerical refusals inside a step are not errors: they
/// become one only if no other step can be tried.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Instances that cannot be created; all of them at once.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Instantiation(Vec<InstantiationFailure>),
    /// A call failed before the first step.
    #[error("initialization: {0}")]
    Initialization(Box<CallError>),
    /// The initial values of a loop of direct feedthrough were not found.
    #[error("initialization: no solution found for the algebraic loop {}: {problem}", .instances.join(" -> "))]
    InitializationLoop {
        /// Instances in the loop, in the order in which they follow each other.
        instances: Vec<String>,
        /// The remaining disagreement.
        problem: LoopProblem,
    },
    /// Start values for which the residuals of `[initialization]` vanish were not found.
    #[error(
        "initialization: no steady state found after {iterations} iterations of Newton's method; closest point: {} with \
         `{residual}` = {value:?}, expected {target}{}; try other start values",
        .unknowns.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", "),
        .refusal.as_ref().map(|refusal| format!("; beyond this point, {refusal}")).unwrap_or_default()
    )]
    SteadyState {
        /// The unknowns, as `instance.variable`, with their values at the smallest residuals.
        unknowns: Vec<(String, f64)>,
        /// The largest residual there.
        residual: String,
        /// Its value.
        value: f64,
        /// Its target value.
        target: f64,
        /// Iterations made.
        iterations: u32,
        /// The reason why the last values that were tried could not be initialized, if they could not.
        refusal: Option<Box<Error>>,
    },
    /// A call failed during a step.
    #[error("{0}")]
    Call(Box<CallError>),
    /// An instance discarded a step and no smaller one may be tried.
    #[error(
        "instance `{instance}` discarded the communication step at t = {time} s with h = {} s; {reason}{}",
        Shown(*.step), lotka_instance::log_tail(.log)
    )]
    Discarded {
        /// Name of the instance.
        instance: String,
        /// Communication point \[s\].
        time: f64,
        /// Step size \[s\].
        step: f64,
        /// The reason why no other step is tried.
        reason: String,
        /// Log lines of the instance.
        log: Vec<String>,
    },
    /// A connected output is NaN or infinite.
    #[error(
        "expected a finite value of the connected output `{variable}`, found {value} at t = {time} s; if earlier rows show \
         growing values, reduce `step` or `tolerance`"
    )]
    NotFinite {
        /// Instance and variable.
        variable: String,
        /// The value.
        value: f64,
        /// Time \[s\].
        time: f64,
    },
    /// The iteration of a loop did not converge.
    #[error(
        "the loop {} did not converge within {iterations} iterations at t = {time} s with h = {} s: {}",
        .instances.join(" -> "),
        Shown(*.step),
        still_changing(.variable.as_deref(), *.norm, *.accelerated, .output_noise.as_deref(), *.is_smallest)
    )]
    NotConverged {
        /// Instances of the loop, in the order they are stepped.
        instances: Vec<String>,
        /// Communication point \[s\].
        time: f64,
        /// Step size \[s\].
        step: f64,
        /// Iterations made.
        iterations: u32,
        /// WRMS norm of the last change; at most 1 means converged.
        norm: f64,
        /// The output that changed most in the last iteration, as `instance.variable`; `None` if integers, booleans or strings
        /// kept changing.
        variable: Option<String>,
        /// Whether the iteration is accelerated.
        accelerated: bool,
        /// The output whose noise prevents convergence, if there is one.
        output_noise: Option<Box<OutputNoise>>,
        /// Whether steps can be reduced, and this one has the minimum size.
        is_smallest: bool,
    },
    /// A purely relative tolerance was requested for a variable that passes through zero.
    #[error(
        "output `{variable}` changes sign, so its relative error cannot be bounded; set `absolute-tolerance` above 0, or remove \
         it to bound values below a thousandth of the largest one absolutely"
    )]
    RelativeToZero {
        /// Instance and variable.
        variable: String,
    },
    /// The results of a run are not within their `tolerance`. Observers have received the best ones.
    #[error("{}", .0.verdict())]
    ToleranceNotReached(Box<GlobalError>),
    /// A run with `tolerance` ended before two results could be compared.
    #[error(
        "a run ended at t = {time} s ({end}), before its second row, so its error cannot be estimated; reduce `output-interval`"
    )]
    EndedEarly {
        /// Last communication point reached \[s\].
        time: f64,
        /// How the run ended.
        end: &'static str,
    },
    /// A tolerance is below what the inexact rollback of an FMU allows.
    #[error(
        "`{setting}` = {} is too small for instance `{instance}`: repeating a step after a rollback changes its output \
         `{variable}` by {noise:.1e} (relative); {}", Short(*.tolerance), words::above_noise(*.smallest)
    )]
    BelowNoise {
        /// Key of the tolerance in a system file.
        setting: &'static str,
        /// The tolerance.
        tolerance: f64,
        /// Name of the instance.
        instance: String,
        /// Instance and variable.
        variable: String,
        /// The change of the output, relative to its size.
        noise: f64,
        /// The smallest acceptable tolerance.
        smallest: f64,
    },
    /// A tolerance of local errors is below the rounding of an output in single precision.
    #[error(
        "`local-tolerance` = {tolerance:e} is too small for `{variable}`, which has single precision (7 digits); use {} or more",
        Short(*.smallest)
    )]
    BelowSinglePrecision {
        /// The tolerance.
        tolerance: f64,
        /// Instance and variable.
        variable: String,
        /// The smallest acceptable tolerance.
        smallest: f64,
    },
    /// An FMU needs a guarantee that a method cannot provide.
    #[error(
        "instance `{instance}` advances only if the master promises not to restore earlier states \
         (noSetFMUStatePriorToCurrentPoint), but {method} restores them; {help}"
    )]
    NeedsPromise {
        /// Name of the instance.
        instance: String,
        /// The method that restores earlier states.
        method: &'static str,
        /// The alternative.
        help: &'static str,
    },
    /// An event repeats at the same time.
    #[error(
        "{what}, {count} times in immediate succession at t = {} s: the reaction reverses itself, or the events accumulate; \
         set a `direction`, add hysteresis to the instance that reacts, or stop earlier", Shown(*.time)
    )]
    Chatter {
        /// The event, in words.
        what: String,
        /// Time of the last repetition \[s\].
        time: f64,
        /// Number of repetitions.
        count: u32,
    },
    /// Instances cut steps so short that the run does not come to its end.
    #[error(
        "{what} steps too short: the last {count} steps advanced the run by {advance:.1e} s, and about {left:.0e} more would lead from \
         t = {} s to t = {until} s; check how its events are timed, or stop earlier", Shown(*.time)
    )]
    NoProgress {
        /// Who cuts the steps short, and how.
        what: String,
        /// Communication point \[s\].
        time: f64,
        /// Number of the last steps that were cut short.
        count: u32,
        /// Time that they advanced the run by \[s\].
        advance: f64,
        /// Time until which it was to advance \[s\].
        until: f64,
        /// Number of such steps until then.
        left: f64,
    },
    /// An instance announced an event, and did not report it in the steps that ended there.
    #[error(
        "instance `{instance}` announced an event at t = {time} s, but did not report it in the steps that ended there, so its \
         results miss it; use a fixed `step` without \"event-mode\" for it, so that its FMU handles its events itself"
    )]
    LostEvent {
        /// Name of the instance.
        instance: String,
        /// The announced time \[s\].
        time: f64,
    },
    /// A run cannot be made in pieces, or a session cannot do something.
    #[error("{0}")]
    Session(SessionRefusal),
    /// A checkpoint cannot be written, or a run cannot continue from one.
    #[error("{0}")]
    Checkpoint(Box<CheckpointRefusal>),
    /// Error control requires steps below the minimum.
    #[error(
        "the step size fell below the minimum of {minimum:e} s at t = {time} s: {reason}; reduce `min-step` or increase \
         `local-tolerance`, and list outputs that jump in [events]"
    )]
    StepTooSmall {
        /// Communication point \[s\].
        time: f64,
        /// Smallest step allowed \[s\].
        minimum: f64,
        /// The reason why the last attempt failed.
        reason: String,
    },
}

impl From<SessionRefusal> for Error {
    fn from(refusal: SessionRefusal) -> Self {
        Self::Session(refusal)
    }
}

impl From<CheckpointRefusal> for Error {
    fn from(error: CheckpointRefusal) -> Self {
        Self::Checkpoint(Box::new(error))
    }
}

/// An output that scatters: after a small smooth change of the inputs, it changes by more than a smooth function would.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OutputNoise {
    /// Instance and variable.
    pub variable: String,
    /// The scatter, relative to its size.
    pub relative: f64,
    /// The smallest acceptable `iteration-tolerance`.
    pub smallest: f64,
}

impl OutputNoise {
    /// The output `variable` scatters by a share of its size, so that an `iteration-tolerance` must be at least `smallest`.
    #[must_use]
    pub fn new(variable: String, relative: f64, smallest: f64) -> Self {
        Self { variable, relative, smallest }
    }
}

/// The reason why the initial values of a loop of direct feedthrough were not found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LoopProblem {
    /// No point was found at which all residuals vanish.
    #[error("{}", no_point(.variable, [*.value, *.residual, *.share, *.noise], *.starts))]
    Residual {
        /// The output whose residual is largest, as `instance.variable`.
        variable: String,
        /// The value assumed as input.
        value: f64,
        /// The value computed from it minus the assumed one: it could not be reduced further.
        residual: f64,
        /// The largest residual relative to the size of its terms.
        share: f64,
        /// The scatter of the outputs, relative to the size of their terms; 0 if it is rounding only.
        noise: f64,
        /// Number of starting points of Newton's method.
        starts: u32,
    },
    /// Integers, booleans or strings keep changing.
    #[error("`{variable}` still changes after {rounds} rounds")]
    Discrete {
        /// An output that changes, as `instance.variable`.
        variable: String,
        /// Number of rounds.
        rounds: u32,
    },
}

impl Error {
    /// Whether an FMU ended its process (crash, `exit`, time limit).
    #[must_use]
    pub fn ended_process(&self) -> bool {
        match self {
            Self::Call(error) | Self::Initialization(error) => matches!(error.cause, Cause::ProcessEnded(_)),
            Self::Instantiation(failures) => failures.iter().any(|failure| failure.reason.ended_process()),
            Self::SteadyState { refusal: Some(error), .. } => error.ended_process(),
            _ => false,
        }
    }

    /// Whether an FMU returned fmi2Fatal, after which none of its instances can be used.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::Call(error) | Self::Initialization(error) => matches!(error.cause, Cause::Status(Status::Fatal)),
            Self::SteadyState { refusal: Some(error), .. } => error.is_fatal(),
            _ => false,
        }
    }
}

/// One instance that cannot be created.
#[derive(Debug)]
#[non_exhaustive]
pub struct InstantiationFailure {
    /// Name of the instance.
    pub instance: String,
    /// The reason: a `lotka::FmuError` if the FMU was to run in this process, a `lotka::HostError` if in a separate one, or the
    /// error of another factory. Downcast it as `&dyn std::error::Error`.
    pub reason: Box<dyn InstantiationError>,
}

impl InstantiationFailure {
    /// The instance of this name cannot be created for this reason.
    pub fn new(instance: impl Into<String>, reason: Box<dyn InstantiationError>) -> Self {
        Self { instance: instance.into(), reason }
    }
}

impl std::fmt::Display for InstantiationFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&of_instance(&self.instance, &self.reason.to_string()))
    }
}

impl std::error::Error for InstantiationFailure {}

impl Coded for InstantiationFailure {
    fn code(&self) -> Code {
        self.reason.code()
    }
}

impl Coded for Error {
    fn code(&self) -> Code {
        match self {
            Self::Instantiation(failures) => failures.first().map_or(Code::InternalError, Coded::code),
            Self::Initialization(error) | Self::Call(error) => error.code(),
            Self::InitializationLoop { .. } => Code::NoInitialValues,
            Self::SteadyState { .. } => Code::NoSteadyState,
            Self::Discarded { .. } => Code::StepDiscarded,
            Self::NotFinite { .. } => Code::NotFinite,
            Self::NotConverged { .. } => Code::NotConverged,
            Self::RelativeToZero { .. } => Code::RelativeToZero,
            Self::ToleranceNotReached(_) => Code::ToleranceNotReached,
            Self::EndedEarly { .. } => Code::EndedEarly,
            Self::BelowNoise { .. } | Self::BelowSinglePrecision { .. } => Code::ToleranceBelowNoise,
            Self::NeedsPromise { .. } => Code::NeedsPromise,
            Self::Chatter { .. } => Code::EventChatter,
            Self::NoProgress { .. } => Code::NoProgress,
            Self::LostEvent { .. } => Code::LostEvent,
            Self::Session(_) => Code::SessionRefused,
            Self::Checkpoint(error) => error.code(),
            Self::StepTooSmall { .. } => Code::StepTooSmall,
        }
    }
}
