//! The outcome of an attempt to step.

use std::ops::ControlFlow;

use lotka_instance::{CallError, Discard};

use crate::Error;

/// A communication step to try, from `t` by `h` \[s\]. Both numbers are passed in registers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Communication point \[s\].
    pub t: f64,
    /// Step size \[s\].
    pub h: f64,
}

/// The outcome of an attempt: the step was made, or it stopped for a reason. Rare outcomes are boxed, so that `Attempt<()>` is
/// one word.
pub type Attempt<T> = ControlFlow<Box<Stop>, T>;

/// The reason why an attempt stopped early.
#[derive(Debug)]
pub enum Stop {
    /// The step was not made; after a rollback another one may be tried.
    Refused(Refusal),
    /// The run is over.
    Failed(Box<Error>),
}

/// The reason why a step was not made.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// An instance discarded the step.
    Discarded {
        /// Index of the instance.
        instance: usize,
        /// The reason it gave.
        discard: Discard,
    },
    /// An instance returned early from inside the step, and the step of all instances ends there.
    EarlyReturn {
        /// Index of the instance.
        instance: usize,
        /// The time it reached \[s\].
        time: f64,
    },
    /// An iteration did not converge. Without `signal`, integers, booleans or strings kept changing.
    NotConverged {
        /// Index of the component of the graph.
        component: usize,
        /// WRMS norm of the last change; at most 1 means converged.
        norm: f64,
        /// The Real signal that changed most; `None` if only others kept changing.
        signal: Option<usize>,
        /// Whether the iteration is accelerated.
        accelerated: bool,
    },
    /// A connected output is NaN or infinite.
    NotFinite {
        /// Its signal.
        signal: usize,
        /// Its value.
        value: f64,
    },
}

/// Continues an attempt, unless a call failed: its error ends the run.
#[inline]
pub fn proceed(result: Result<(), Box<Error>>) -> Attempt<()> {
    match result {
        Ok(()) => Attempt::Continue(()),
        Err(error) => fail(error),
    }
}

/// Returns the attempt of a step that was not made.
#[cold]
pub fn refuse(refusal: Refusal) -> Attempt<()> {
    Attempt::Break(Box::new(Stop::Refused(refusal)))
}

#[cold]
pub(super) fn fail(error: Box<Error>) -> Attempt<()> {
    Attempt::Break(Box::new(Stop::Failed(error)))
}

/// A call failed during a step.
#[cold]
#[must_use]
pub fn call_failed(error: Box<CallError>) -> Box<Error> {
    Box::new(Error::Call(error))
}
