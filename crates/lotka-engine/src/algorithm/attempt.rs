//! How an attempt to step ends.

use std::ops::ControlFlow;

use lotka_instance::{CallError, Discard};

use crate::Error;

/// A communication step to try, from `t` by `h` \[s\]. Two numbers are handed over in registers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Communication point \[s\].
    pub t: f64,
    /// Step size \[s\].
    pub h: f64,
}

/// How an attempt to step ended: it was made, or it stopped for a reason. What is rare is boxed, so that `Attempt<()>` is one word.
pub type Attempt<T> = ControlFlow<Box<Stop>, T>;

/// Why an attempt stopped before its end.
#[derive(Debug)]
pub enum Stop {
    /// The step was not made; another may be tried after a rollback.
    Refused(Refusal),
    /// The run is over.
    Failed(Box<Error>),
}

/// Why a step was not made.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// An instance discarded the step.
    Discarded {
        /// Index of the instance.
        instance: usize,
        /// What it said.
        discard: Discard,
    },
    /// An instance stopped inside the step and is there, and the step is to end there.
    EarlyReturn {
        /// Index of the instance.
        instance: usize,
        /// Where it is \[s\].
        time: f64,
    },
    /// Without a Real signal, integers, booleans or strings kept changing.
    NotConverged {
        /// Index of the component of the graph.
        component: usize,
        /// WRMS norm of the last change; 1 would be converged.
        norm: f64,
        /// The Real signal that changed most; none if others kept changing.
        signal: Option<usize>,
        /// The iteration is accelerated.
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

/// Goes on with an attempt, unless a call failed: its error ends the run.
#[inline]
pub fn proceed(result: Result<(), Box<Error>>) -> Attempt<()> {
    match result {
        Ok(()) => Attempt::Continue(()),
        Err(error) => fail(error),
    }
}

/// A step that was not made.
#[cold]
pub(crate) fn refuse(refusal: Refusal) -> Attempt<()> {
    Attempt::Break(Box::new(Stop::Refused(refusal)))
}

#[cold]
pub(super) fn fail(error: Box<Error>) -> Attempt<()> {
    Attempt::Break(Box::new(Stop::Failed(error)))
}

#[cold]
pub(crate) fn call_failed(error: Box<CallError>) -> Box<Error> {
    Box::new(Error::Call(error))
}
